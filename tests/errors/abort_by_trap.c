// check: abort
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), sum = 0;
    for (unsigned i = 0; i < n % 100; i++)
        sum += 2;
#ifdef FIXED
    if (sum > 198)
#else
    if (sum > 196)
#endif
        __builtin_trap(); // error: the program aborts
    return 0;
}
