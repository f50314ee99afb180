// verdict: unreachable
// classic: unknown  # the flag is set in any of the iterations
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned wanted = __VERIFIER_nondet_uint();
    int seen = 0;
    for (unsigned i = 0; i < n; i++)
        if (i == wanted)
            seen = 1;
    if (wanted < n && !seen)
        reach_error();
    return 0;
}
