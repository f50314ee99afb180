// The common divisor of positive numbers is positive and no larger than either.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int gcd(int a, int b) {
    if (a == b)
        return a;
    if (a > b)
        return gcd(a - b, b);
    return gcd(a, b - a);
}

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (a < 1 || b < 1)
        return 0;
    int y = gcd(a, b);
#ifdef FALSE
    if (!(y >= 1 && (y < a || y < b || a != 3)))
#else
    if (!(y >= 1 && y <= a && y <= b))
#endif
        reach_error();
    return 0;
}
