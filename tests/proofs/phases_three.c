// Of three thirds of the iterations only those of the second one count.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), step = 0, count = n;
    if (n < 0 || n > 1000000)
        return 0;
    while (step < 3 * n) {
        if (step >= n && step < 2 * n)
            count++;
        step++;
    }
#ifdef FALSE
    if (!(count == 2 * n && n != 3))
#else
    if (!(count == 2 * n))
#endif
        reach_error();
    return 0;
}
