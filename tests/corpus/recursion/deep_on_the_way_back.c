// verdict: reachable
// classic: unknown  # long paths
// inputs: unchecked  # 3000; paths of so many steps are not followed one by one
//
// The error is in a frame in the middle, when it is returned to.
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

static unsigned back(unsigned n) {
    if (n == 0)
        return 0;
    unsigned below = back(n - 1) + 2;
    if (n == 2000 && below == 4000)
        reach_error();
    return below;
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 5000)
        return 0;
    return (int)back(n);
}
