// Bubble sort sorts.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a[100], n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
#ifdef FALSE
    for (int m = n; m > 2; m--)
#else
    for (int m = n; m > 1; m--)
#endif
        for (int i = 0; i + 1 < m; i++)
            if (a[i] > a[i + 1]) {
                int t = a[i];
                a[i] = a[i + 1];
                a[i + 1] = t;
            }
    for (int k = 1; k < n; k++)
        if (a[k - 1] > a[k])
            reach_error();
    return 0;
}
