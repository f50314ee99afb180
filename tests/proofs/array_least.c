// The first of sorted numbers is not greater than any.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a[1000];
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    for (int i = 1; i < n; i++)
        if (a[i - 1] > a[i])
            return 0;
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n)
        return 0;
#ifdef FALSE
    if (!(a[0] < a[k] || k < 5))
#else
    if (!(a[0] <= a[k]))
#endif
        reach_error();
    return 0;
}
