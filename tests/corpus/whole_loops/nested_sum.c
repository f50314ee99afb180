// verdict: unreachable
// classic: unknown  # any n and m
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned m = __VERIFIER_nondet_uint();
    unsigned cells = 0;
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < m; j++)
            cells++;
    if (cells != n * m)
        reach_error();
    return 0;
}
