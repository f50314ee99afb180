// verdict: unreachable
// classic: unknown  # one path for each value of the bound
// A counter rises to a border and falls behind it.
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned m = __VERIFIER_nondet_uint();
    unsigned x = 0;
    if (n > 1000000 || m > n)
        return 0;
    for (unsigned i = 0; i < n; i++) {
        if (i < m)
            x++;
        else
            x--;
    }
    if (x != 2 * m - n)
        reach_error();
    return 0;
}
