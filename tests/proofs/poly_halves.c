// A product by halving both factors.
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    unsigned long long a = x, b = y, p = 1, sum = 0;
    while (a != 0 && b != 0) {
        if (a % 2 == 0 && b % 2 == 0) {
            a /= 2;
            b /= 2;
            p *= 4;
        } else if (a % 2 == 1) {
            a--;
            sum += b * p;
        } else {
            b--;
            sum += a * p;
        }
#ifdef FALSE
        if (!(sum + a * b * p == (unsigned long long)x * y && sum != 6))
#else
        if (!(sum + a * b * p == (unsigned long long)x * y))
#endif
            reach_error();
    }
    return 0;
}
