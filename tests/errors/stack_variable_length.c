// check: memory
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
#ifdef FIXED
    if (n == 0 || n > 1000)
#else
    if (n == 0 || n > 100000000)
#endif
        return 0;
    int squares[n]; // error: stack overflow
    squares[0] = 1;
    return squares[0] != 1;
}
