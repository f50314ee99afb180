// verdict: reachable
// inputs: 1, 0, 1, 0, 1, 0, 1, 0, 1
// induction: no
// k-induction: no
// The twin of states_in_turn.c: the last state is followed by one that nobody knows.
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
            state = 6;
        else
            state = 99;
    }
    return 0;
}
