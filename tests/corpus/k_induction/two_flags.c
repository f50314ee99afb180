// verdict: unreachable
// induction: no
// k-induction: proved
// Two flags change places; that they differ is tested every second time only.
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned one = 3, other = 8, sum = 2;
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
