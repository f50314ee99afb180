// verdict: unreachable
// classic: unknown  # as many paths as numbers of iterations
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

// ISSTA 2012, Section 3.4: behind the outer loop j is max(n, i − 1).
int main(void) {
    int m = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int(), j = 0;
    if (m < 1 || m > 1000 || n < 0 || n > 1000)
        return 0;
    for (int i = 0; i < m; i++)
        for (j = i; j < n; j++)
            ;
    if (j != (n > m - 1 ? n : m - 1))
        reach_error();
    return 0;
}
