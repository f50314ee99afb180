// The number of ones is at most the length.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a[1000];
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    int ones = 0;
    for (int i = 0; i < n; i++)
        if (a[i] == 1)
            ones++;
#ifdef FALSE
    if (!(ones >= 0 && ones < n))
#else
    if (!(ones >= 0 && ones <= n))
#endif
        reach_error();
    return 0;
}
