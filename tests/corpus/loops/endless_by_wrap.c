// verdict: unreachable
// classic: unknown  # the loop has no end
//
// No unsigned number is above the largest one.
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned iterations = 0;
    for (unsigned i = n; i <= 4294967295u; i--)
        iterations++;
    reach_error();
    return (int)iterations;
}
