// verdict: unreachable
// compact: unknown  # what is added has no closed form
// classic: unknown
// induction: no
// k-induction: proved
// work: 5 s
// The values that wait are in memory.
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

unsigned waiting[3];

int main(void) {
    unsigned sum = 1;
    while (__VERIFIER_nondet_bool()) {
        if (waiting[0] % 4u == 3)
            reach_error();
        sum = sum * sum + waiting[0];
        waiting[0] = waiting[1];
        waiting[1] = waiting[2];
        waiting[2] = 4 * __VERIFIER_nondet_uint() * (sum + 1);
    }
    return 0;
}
