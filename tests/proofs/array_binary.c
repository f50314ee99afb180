// Binary search finds where a number is, or would be.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a[1000], n = __VERIFIER_nondet_int(), key = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    for (int i = 1; i < n; i++)
        if (a[i - 1] > a[i])
            return 0;
    int low = 0, high = n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (a[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
#ifdef FALSE
    if (low < n && a[low] > key)
        reach_error();
#else
    int k = __VERIFIER_nondet_int();
    if (k >= 0 && k < low && a[k] >= key)
        reach_error();
    if (k >= low && k < n && a[k] < key)
        reach_error();
#endif
    return 0;
}
