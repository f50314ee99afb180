// verdict: unreachable
// A flag is toggled and bits are masked in a loop without bound.
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), start = __VERIFIER_nondet_uint();
    unsigned flag = 0, mask = start;
    for (unsigned i = 0; i < n; i++) {
        flag ^= 1;
        mask &= 0xf0;
    }
    if (flag != (n & 1) || (n > 0 && (mask & 0x0f) != 0) || (n == 0 && mask != start))
        reach_error();
    return 0;
}
