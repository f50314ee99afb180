// verdict: unreachable
// induction: no
// k-induction: proved
// The state that is an error comes from states that are never reached: two iterations exclude them.
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned state = 5, sum = 1;
    while (__VERIFIER_nondet_bool()) {
        if (state == 99)
            reach_error();
        sum = sum * sum + __VERIFIER_nondet_uint();
        if (state == 5)
            state = 17;
        else if (state == 17)
            state = 40;
        else if (state == 40)
            state = 5;
        else
            state = 99;
    }
    return 0;
}
