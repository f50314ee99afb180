// verdict: reachable
// classic: unknown  # long paths
// inputs: unchecked  # 100000, 777; paths of so many steps are not followed one by one
//
// The error is in a call deep below, before any returns.
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

static unsigned down(unsigned n, unsigned x, unsigned depth) {
    if (n == 0)
        return depth;
    if (n == x && depth > 99000)
        reach_error();
    return down(n - 1, x, depth + 1);
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned x = __VERIFIER_nondet_uint();
    if (n > 100000)
        return 0;
    return (int)down(n, x, 0);
}
