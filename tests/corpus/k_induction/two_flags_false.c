// verdict: reachable
// inputs: 1, 0, 1
// induction: no
// k-induction: no
// The twin of two_flags.c: the second one is what the first must not be.
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned one = 3, other = 7, sum = 2;
    while (__VERIFIER_nondet_bool()) {
        if (one == 7)
            reach_error();
        sum = sum * sum + __VERIFIER_nondet_uint();
        unsigned swapped = one;
        one = other;
        other = swapped;
    }
    return 0;
}
