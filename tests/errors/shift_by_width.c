// check: shift
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
#ifdef FIXED
    if (n >= 32)
#else
    if (n > 32)
#endif
        return 1;
    return (1u << n) == 0; // error: shift that C does not define
}
