// verdict: unreachable
// compact: unknown  # what is added has no closed form
// classic: unknown
// induction: no
// k-induction: proved
// What is tested was written two iterations before: three iterations together show that it is even.
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
        next = 2 * __VERIFIER_nondet_uint() * (sum + 1);
    }
    return 0;
}
