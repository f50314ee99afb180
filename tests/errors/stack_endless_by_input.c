// check: memory
// Odd numbers never come to 0.
extern unsigned __VERIFIER_nondet_uint(void);

static int halves(unsigned n) {
    if (n == 0)
        return 0;
    return halves(n - 2) + 1; // error: stack overflow
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint() & 15;
#ifdef FIXED
    n *= 2;
#endif
    return halves(n) > 15;
}
