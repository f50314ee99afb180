// The greatest common divisor as a combination of both numbers.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (x < 1 || y < 1)
        return 0;
    long long a = x, b = y, p = 1, q = 0, r = 0, s = 1;
    while (a != b) {
        if (a > b) {
            a -= b;
            p -= q;
            r -= s;
        } else {
            b -= a;
            q -= p;
            s -= r;
        }
#ifdef FALSE
        if (!(p * s - r * q == 1 && a != 2))
#else
        if (!(p * s - r * q == 1))
#endif
            reach_error();
    }
    return 0;
}
