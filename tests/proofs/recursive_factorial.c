// A factorial is positive.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int factorial(int n) {
    if (n <= 1)
        return 1;
    return n * factorial(n - 1);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int f = factorial(n);
#ifdef FALSE
    if (!(f > n))
#else
    if (!(f >= 1))
#endif
        reach_error();
    return 0;
}
