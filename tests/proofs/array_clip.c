// What is read is clipped before it is written.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a[1000];
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    for (int i = 0; i < n; i++) {
        int next = __VERIFIER_nondet_int();
        if (next < 0)
            next = 0;
        if (next > 255)
            next = 255;
        a[i] = next;
    }
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k >= n)
        return 0;
#ifdef FALSE
    if (!(a[k] >= 0 && a[k] < 255))
#else
    if (!(a[k] >= 0 && a[k] <= 255))
#endif
        reach_error();
    return 0;
}
