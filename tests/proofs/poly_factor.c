// Two squares whose difference is a number, by steps of odd numbers.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), root = __VERIFIER_nondet_int();
    if (n < 1 || n > 30000 || root < 1 || root > 200)
        return 0;
    long long u = 2LL * root + 1, v = 1, rest = (long long)root * root - n;
    while (rest != 0) {
        if (rest > 0) {
            rest -= v;
            v += 2;
        } else {
            rest += u;
            u += 2;
        }
#ifdef FALSE
        if (!(4 * (n + rest) == u * u - v * v - 2 * u + 2 * v && v != 5))
#else
        if (!(4 * (n + rest) == u * u - v * v - 2 * u + 2 * v))
#endif
            reach_error();
    }
    return 0;
}
