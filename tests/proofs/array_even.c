// Even and odd places hold different values.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a[1000];
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    for (int i = 0; i < n; i++)
        if (i % 2 == 0)
            a[i] = 0;
        else
            a[i] = 1;
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n)
        return 0;
#ifdef FALSE
    if (!(a[k] == k % 2 && k != 6))
#else
    if (!(a[k] == k % 2))
#endif
        reach_error();
    return 0;
}
