// verdict: reachable
// inputs: 1, 0, 0
// induction: no
// k-induction: no
// The error is behind the loop, where it is left in the second iteration.
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned n = 0, sum = 1;
    while (__VERIFIER_nondet_bool()) {
        sum = sum * sum + __VERIFIER_nondet_uint();
        if (n < 3)
            n++;
    }
    if (n == 1)
        reach_error();
    return 0;
}
