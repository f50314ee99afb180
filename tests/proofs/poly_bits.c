// A product by the bits of one factor.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (b < 1)
        return 0;
    long long x = a, y = b, sum = 0;
    while (y != 0) {
        if (y % 2 == 1) {
            sum += x;
            y--;
        }
        x *= 2;
        y /= 2;
#ifdef FALSE
        if (!(y != 2 && sum + x * y == (long long)a * b))
#else
        if (!(sum + x * y == (long long)a * b))
#endif
            reach_error();
    }
    return 0;
}
