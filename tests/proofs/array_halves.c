// Two halves are filled by different loops.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a[1000];
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    int half = n / 2;
    for (int i = 0; i < half; i++)
        a[i] = 1;
    for (int i = half; i < n; i++)
        a[i] = 2;
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n)
        return 0;
#ifdef FALSE
    if (!(a[k] == (k <= half ? 1 : 2)))
#else
    if (!(a[k] == (k < half ? 1 : 2)))
#endif
        reach_error();
    return 0;
}
