// verdict: unreachable
// native: unchecked  # most objects do not fit on the stack
//
// The size is no constant, and n elements are n elements: their product with the size of one does not wrap.
extern unsigned long __VERIFIER_nondet_ulong(void);
void reach_error(void) {}

int main(void) {
    unsigned long n = __VERIFIER_nondet_ulong();
    if (n < 2 || n > 1UL << 40)
        return 0;
    int v[n];
    v[0] = 1;
    v[n - 1] = 2;
    if (v[0] + v[n - 1] != 3)
        reach_error();
    return 0;
}
