// A function with two calls grows at least linearly.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int fibonacci(int n) {
    if (n < 2)
        return n < 1 ? 0 : 1;
    return fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0)
        return 0;
    int y = fibonacci(n);
#ifdef FALSE
    if (!(y >= n))
#else
    if (!(y >= n - 1 && y >= 0))
#endif
        reach_error();
    return 0;
}
