// A flag says that all are zero.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a[1000];
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    int all_zero = 1;
    for (int i = 0; i < n; i++)
        if (a[i] != 0)
            all_zero = 0;
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n)
        return 0;
#ifdef FALSE
    if (!(all_zero || a[k] != 0))
#else
    if (!(!all_zero || a[k] == 0))
#endif
        reach_error();
    return 0;
}
