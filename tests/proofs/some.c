// What is counted in some iterations is no more than all of them.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0, some = 0;
    if (n < 0)
        return 0;
    while (i < n) {
        if (__VERIFIER_nondet_int())
            some++;
        i++;
    }
#ifdef FALSE
    if (!(some < n || n == 0))
#else
    if (!(some >= 0 && some <= n))
#endif
        reach_error();
    return 0;
}
