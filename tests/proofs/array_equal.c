// Two arrays are compared.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a[1000];
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    int b[1000];
    for (int i = 0; i < n; i++) {
        a[i] = __VERIFIER_nondet_int();
        b[i] = __VERIFIER_nondet_int();
    }
    int same = 1;
    for (int i = 0; i < n && same; i++)
        same = a[i] == b[i];
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n)
        return 0;
#ifdef FALSE
    if (!(same || a[k] != b[k]))
#else
    if (!(!same || a[k] == b[k]))
#endif
        reach_error();
    return 0;
}
