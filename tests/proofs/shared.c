// An inner loop and an outer one raise the same counter.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), k = 0;
    for (int i = 0; i < n; i++) {
        for (int j = i; j < n; j++)
            k++;
        k++;
    }
#ifdef FALSE
    if (!(n <= 0 || k > 2 * n))
#else
    if (!(n <= 0 || k >= n))
#endif
        reach_error();
    return 0;
}
