// check: memory
extern long __VERIFIER_nondet_long(void);

int main(void) {
    long n = __VERIFIER_nondet_long();
#ifdef FIXED
    if (n < 1 || n > 64)
        return 0;
#else
    if (n >= 0)
        return 0;
#endif
    char *text = __builtin_alloca(n); // error: array on the stack whose size is not positive or too large
    text[0] = 1;
    return text[0] - 1;
}
