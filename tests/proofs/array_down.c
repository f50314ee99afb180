// Filled from the end.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a[1000];
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    for (int i = n - 1; i >= 0; i--)
        a[i] = n - i;
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n)
        return 0;
#ifdef FALSE
    if (!(a[k] == n - k && k != 4))
#else
    if (!(a[k] == n - k))
#endif
        reach_error();
    return 0;
}
