// Four counters grow until their sum is what there is to spend; one exchanges what another has.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 10000)
        return 0;
    int a = 0, b = 0, c = 0, d = 0;
    while (a + b + c + d < n) {
        int what = __VERIFIER_nondet_int();
        if (what == 0) {
            a++;
        } else if (what == 1) {
            b++;
            if (a > 0) {
                a--;
                d++;
            }
        } else if (what == 2) {
            c++;
        } else {
            d++;
        }
    }
#ifdef FALSE
    if (!(a + b + c + d == n && d <= 2))
#else
    if (!(a + b + c + d == n && b <= n))
#endif
        reach_error();
    return 0;
}
