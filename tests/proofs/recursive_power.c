// A power of two is larger than its exponent.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int power(int n) {
    if (n <= 0)
        return 1;
    return 2 * power(n - 1);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int p = power(n);
#ifdef FALSE
    if (!(p > n + 1))
#else
    if (!(p > n))
#endif
        reach_error();
    return 0;
}
