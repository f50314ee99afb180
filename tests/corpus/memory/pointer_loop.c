// verdict: reachable
// inputs: 5
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int array[5] = {3, 1, 4, 1, 5};
    int wanted = __VERIFIER_nondet_int();
    int sum = 0;
    for (int *p = array; p != array + 5; p++) {
        if (*p == wanted)
            break;
        sum += *p;
    }
    if (sum == 9)
        reach_error();
    return 0;
}
