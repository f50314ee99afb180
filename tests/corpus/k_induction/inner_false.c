// verdict: reachable
// inputs: 1, 0, 1, 1, 1
// induction: no
// k-induction: no
// The twin of inner.c: the second iteration of the outer loop begins with an odd one.
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned tested = 0, next = 0, sum = 1, n = 0;
    while (__VERIFIER_nondet_bool()) {
        if (n == 1)
            next = 1;
        if (n < 3)
            n++;
        while (__VERIFIER_nondet_bool()) {
            if (tested & 1u)
                reach_error();
            sum = sum * sum + tested;
            tested = next;
            next = 2 * (sum + 1);
        }
    }
    return 0;
}
