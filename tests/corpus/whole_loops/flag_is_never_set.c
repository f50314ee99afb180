// verdict: unreachable
// classic: unknown  # any n
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    int seen = 0;
    for (unsigned i = 0; i < n; i++)
        if (i == n)
            seen = 1;
    if (seen)
        reach_error();
    return 0;
}
