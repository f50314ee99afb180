// verdict: unreachable
// classic: unknown  # one path for each value of the bounds
// A counter is reset where it reaches an input: the period is a term.
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned k = __VERIFIER_nondet_uint();
    unsigned j = 0;
    unsigned c = 0;
    for (unsigned i = 0; i < n; i++) {
        if (j < k) {
            j++;
        } else {
            j = 0;
            c++;
        }
    }
    if (c * (k + 1) + j != n)
        reach_error();
    return 0;
}
