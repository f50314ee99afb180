// check: overflow
// work: 6 s
// After two thousand million iterations.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
#ifdef FIXED
    unsigned i = 0;
#else
    int i = 0;
#endif
    while ((unsigned)i != n)
        i++; // error: signed overflow
    return 0;
}
