// Each cell is one more than it was.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a[1000];
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    int b[1000];
    for (int i = 0; i < n; i++)
        a[i] = b[i] = __VERIFIER_nondet_int() % 1000;
    for (int i = 0; i < n; i++)
        a[i] = a[i] + 1;
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n)
        return 0;
#ifdef FALSE
    if (!(a[k] == b[k] + 1 && a[k] != 12))
#else
    if (!(a[k] == b[k] + 1))
#endif
        reach_error();
    return 0;
}
