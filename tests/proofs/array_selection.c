// Selection sort sorts.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a[100], n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        int m = i;
#ifdef FALSE
        for (int j = i + 2; j < n; j++)
#else
        for (int j = i + 1; j < n; j++)
#endif
            if (a[j] < a[m])
                m = j;
        int t = a[i];
        a[i] = a[m];
        a[m] = t;
    }
    for (int k = 1; k < n; k++)
        if (a[k - 1] > a[k])
            reach_error();
    return 0;
}
