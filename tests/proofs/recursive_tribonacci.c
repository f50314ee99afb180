// Three calls in a body.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int t(int n) {
    if (n <= 0)
        return 0;
    if (n <= 2)
        return 1;
    return t(n - 1) + t(n - 2) + t(n - 3);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int value = t(n);
#ifdef FALSE
    if (!(value >= 0 && value != 4))
#else
    if (!(value >= 0 && (n < 1 || value >= 1)))
#endif
        reach_error();
    return 0;
}
