// Positive numbers are moved to the front of another array.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a[1000];
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    int b[1000];
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    int m = 0;
    for (int i = 0; i < n; i++)
        if (a[i] > 0)
            b[m++] = a[i];
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n)
        return 0;
#ifdef FALSE
    if (!(k >= m || b[k] > 1))
#else
    if (!(k >= m || b[k] > 0))
#endif
        reach_error();
    return 0;
}
