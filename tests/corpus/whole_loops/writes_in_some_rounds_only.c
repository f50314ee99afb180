// verdict: unreachable
// classic: unknown  # a way for each n and k
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

unsigned cells[64];

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned k = __VERIFIER_nondet_uint();
    if (n > 64 || k >= n)
        return 0;
    for (unsigned i = 0; i < n; i++)
        if (i & 1)
            cells[i] = 7;
    if (cells[k] != ((k & 1) ? 7 : 0))
        reach_error();
    return 0;
}
