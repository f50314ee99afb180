// The sum of the first numbers is no smaller than the last.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int sum(int n) {
    if (n <= 0)
        return 0;
    return sum(n - 1) + n;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0)
        return 0;
    int y = sum(n);
#ifdef FALSE
    if (!(y >= n + 1 || n < 1))
#else
    if (!(y >= n))
#endif
        reach_error();
    return 0;
}
