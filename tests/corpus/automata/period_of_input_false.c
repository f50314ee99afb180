// verdict: reachable
// inputs: 22, 4
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
    if (k == 4 && c == 4 && j == 2)
        reach_error();
    return 0;
}
