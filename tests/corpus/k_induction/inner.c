// verdict: unreachable
// compact: unknown  # what is added has no closed form
// classic: unknown
// induction: no
// k-induction: proved
// The inner loop goes on where the outer one has left it.
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned tested = 0, next = 0, sum = 1;
    while (__VERIFIER_nondet_bool()) {
        sum += 7;
        while (__VERIFIER_nondet_bool()) {
            if (tested & 1u)
                reach_error();
            sum = sum * sum + tested;
            tested = next;
            next = 2 * __VERIFIER_nondet_uint() * (sum + 1);
        }
        if (next & 1u)
            reach_error();
    }
    return 0;
}
