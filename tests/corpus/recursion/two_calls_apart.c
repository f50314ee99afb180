// verdict: reachable
// inputs: 40, 7
//
// Two calls on paths of their own, with returns of their own: both are folded as one.
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

static unsigned steps(unsigned n, unsigned x) {
    if (n == 0)
        return 0;
    if (n > x)
        return steps(n - 1, x) + 3;
    return steps(n - 1, x) + 1;
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned x = __VERIFIER_nondet_uint();
    if (n == 40 && steps(n, x) == 106)
        reach_error();
    return 0;
}
