// Every cell holds what was written.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a[1000];
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = 7;
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n)
        return 0;
#ifdef FALSE
    if (!(a[k] == 7 && k != 5))
#else
    if (!(a[k] == 7))
#endif
        reach_error();
    return 0;
}
