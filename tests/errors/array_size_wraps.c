// check: memory
extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void) {
    unsigned long n = __VERIFIER_nondet_ulong();
    if (n == 0)
        return 0;
#ifdef FIXED
    if (n > 100)
        return 0;
#else
    if (n < 1000)
        return 0;
    if ((n * 8) % 0x10000 != 8 || n * 8 > 0x10000)
        return 0;
#endif
    long a[n]; // error: array on the stack whose size is not positive or too large
    a[0] = 1;
    return (int)a[0] - 1;
}
