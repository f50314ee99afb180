// verdict: unreachable
// classic: unknown  # one path for each value of the bound
// Two paths take turns, and write into one array.
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int cells[1000];

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned q = __VERIFIER_nondet_uint();
    int odd = 0;
    if (n > 1000 || q >= n)
        return 0;
    for (unsigned i = 0; i < n; i++) {
        if (odd) {
            cells[i] = 2;
            odd = 0;
        } else {
            cells[i] = 1;
            odd = 1;
        }
    }
    if (cells[q] != (q % 2 == 0 ? 1 : 2))
        reach_error();
    return 0;
}
