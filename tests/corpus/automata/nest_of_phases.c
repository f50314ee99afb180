// verdict: unreachable
// classic: unknown  # one path for each value of the bounds
// The inner loop rises and falls, and each iteration of the outer one is all of it.
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned k = __VERIFIER_nondet_uint();
    unsigned r = 0;
    if (n > 1000 || k > 1000)
        return 0;
    for (unsigned i = 0; i < n; i++) {
        unsigned d = 0;
        for (unsigned j = 0; j < 2 * k; j++) {
            if (j < k)
                d++;
            else
                d--;
        }
        r += d + 1;
    }
    if (r != n)
        reach_error();
    return 0;
}
