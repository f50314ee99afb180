// What goes on behind the call depends on its result.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int bounce(int n) {
    if (n <= 0)
        return 0;
    int rest = bounce(n - 1);
    return rest == 0 ? 1 : 0;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int side = bounce(n);
#ifdef FALSE
    if (!(n < 0 || side == (n > 0)))
#else
    if (!(n < 0 || side == n % 2))
#endif
        reach_error();
    return 0;
}
