// verdict: reachable
// inputs: 1, 3, 1, 4, 1
// induction: no
// k-induction: no
// The twin of delayed_two.c: what is written need not be even.
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned tested = 0, next = 0, sum = 0;
    while (__VERIFIER_nondet_bool()) {
        if (tested & 1u)
            reach_error();
        sum = sum * sum + tested;
        tested = next;
        next = __VERIFIER_nondet_uint() * (sum + 1);
    }
    return 0;
}
