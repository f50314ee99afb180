// verdict: unreachable
// classic: unknown  # a path for each of the 2^32 depths
//
// Each return adds one: the result counts the calls.
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

static unsigned count(unsigned n) {
    if (n == 0)
        return 0;
    return count(n - 1) + 1;
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (count(n) != n)
        reach_error();
    return 0;
}
