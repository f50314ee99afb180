// An index that arbitrary steps move stays within.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a[1000];
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    int at = 0;
    for (int i = 0; i < n; i++)
        a[i] = i;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int() && at + 1 < n)
            at++;
        else if (at > 0)
            at--;
    }
#ifdef FALSE
    if (!(a[at] == at && at < n - 1))
#else
    if (!(a[at] == at && at < n))
#endif
        reach_error();
    return 0;
}
