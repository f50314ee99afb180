// verdict: unreachable
//
// Each call has locals of its own, which a deeper call leaves alone.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static int depth_sum(int n) {
    int local[2] = {n, n + 1};
    if (n >= 4)
        return local[0];
    int below = depth_sum(n + 1);
    return below + local[1] - local[0] + (local[0] - n);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 4)
        return 0;
    if (depth_sum(n) != 8 - n)
        reach_error();
    return 0;
}
