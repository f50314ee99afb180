// Two sums that grow alike.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int up(int n) {
    if (n <= 0)
        return 0;
    return 2 + up(n - 1);
}

static int down(int n) {
    if (n <= 0)
        return 0;
    return down(n - 1) - 2;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int both = up(n) + down(n);
#ifdef FALSE
    if (!(both == 0 && n != 4))
#else
    if (!(both == 0))
#endif
        reach_error();
    return 0;
}
