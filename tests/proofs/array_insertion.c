// Insertion sort sorts.
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 1000000)
        return 0;
    int a[n];
    for (unsigned j = 0; j < n; j++)
        a[j] = __VERIFIER_nondet_int();
    for (int j = 1; j < (int)n; j++) {
        int key = a[j], i = j - 1;
#ifdef FALSE
        while (i > 0 && a[i] > key) {
#else
        while (i >= 0 && a[i] > key) {
#endif
            a[i + 1] = a[i];
            i--;
        }
        a[i + 1] = key;
    }
    for (int k = 1; k < (int)n; k++)
        if (!(a[k - 1] <= a[k]))
            reach_error();
    return 0;
}
