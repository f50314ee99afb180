// verdict: reachable
// inputs: 0
// Two globals of main: the address of one is taken.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static int seen = 1, hidden = 1;

int main(void) {
    int *pointer = &hidden;
    if (__VERIFIER_nondet_int() > 3)
        pointer = 0;
    seen = 5;
    if (pointer)
        *pointer = 6;
    if (seen == 5 && hidden == 6)
        reach_error();
    return 0;
}
