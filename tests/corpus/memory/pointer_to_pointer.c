// verdict: reachable
// inputs: 1, 1
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) {}

static void advance(int **p) { ++*p; }

int main(void) {
    int array[3] = {10, 20, 30};
    int *p = array;
    if (__VERIFIER_nondet_bool())
        advance(&p);
    if (__VERIFIER_nondet_bool())
        advance(&p);
    if (*p == 30)
        reach_error();
    return 0;
}
