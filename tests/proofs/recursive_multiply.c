// Multiplication by additions: as large as its factor where the other is positive.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int multiply(int a, int n) {
    if (n <= 0)
        return 0;
    return a + multiply(a, n - 1);
}

int main(void) {
    int a = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
    if (a < 0 || n < 1)
        return 0;
    int product = multiply(a, n);
#ifdef FALSE
    if (!(product >= a && product != 6))
#else
    if (!(product >= a))
#endif
        reach_error();
    return 0;
}
