// Up and as far down, any number of times and each time another way.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int height = 0, rounds = 0;
    while (__VERIFIER_nondet_int()) {
        int n = __VERIFIER_nondet_int(), step = 0;
        if (n < 0 || n > 1000000)
            continue;
        while (step < 2 * n) {
            if (step < n)
                height++;
            else
                height--;
            step++;
        }
        rounds = n;
    }
#ifdef FALSE
    if (!(height == 0 && rounds != 2))
#else
    if (!(height == 0))
#endif
        reach_error();
    return 0;
}
