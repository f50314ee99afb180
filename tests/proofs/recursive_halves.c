// Halving counts at most the number.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int halvings(int n) {
    if (n <= 1)
        return 0;
    return 1 + halvings(n / 2);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1)
        return 0;
    int count = halvings(n);
#ifdef FALSE
    if (!(count >= 0 && count < n - 1))
#else
    if (!(count >= 0 && count < n))
#endif
        reach_error();
    return 0;
}
