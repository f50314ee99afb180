// Every cell holds its place.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a[1000];
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = 2 * i + 1;
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n)
        return 0;
#ifdef FALSE
    if (!(a[k] == 2 * k))
#else
    if (!(a[k] == 2 * k + 1))
#endif
        reach_error();
    return 0;
}
