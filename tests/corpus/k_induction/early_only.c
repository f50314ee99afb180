// verdict: reachable
// inputs: 1, 0, 1
// induction: no
// k-induction: no
// From the third iteration on nothing can happen: the first ones have to be looked at as they are.
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned n = 0, sum = 1;
    while (__VERIFIER_nondet_bool()) {
        if (n == 1)
            reach_error();
        sum = sum * sum + __VERIFIER_nondet_uint();
        if (n < 2)
            n++;
    }
    return 0;
}
