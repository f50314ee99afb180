// verdict: reachable
// inputs: 321, 321, 123
// classic: unknown  # one path for each value of the bounds
// Each of 123 outer iterations counts to 321.
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned m = __VERIFIER_nondet_uint();
    unsigned q = __VERIFIER_nondet_uint();
    unsigned a = 0;
    if (n > 1000 || m > n || q > 1000)
        return 0;
    for (unsigned o = 0; o < q; o++) {
        for (unsigned i = 0; i < n; i++) {
            if (i < m)
                a++;
        }
    }
    if (a == 321 * 123 && m == 321)
        reach_error();
    return 0;
}
