// Neighbours among Fibonacci's numbers, whose squares differ by one.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    unsigned a = 0, b = 1, sign = 1;
    while (n > 0) {
        unsigned sum = a + b;
        a = b;
        b = sum;
        sign = -sign;
        n--;
#ifdef FALSE
        if (!(b * b - a * b - a * a == sign && b != 13))
#else
        if (!(b * b - a * b - a * a == sign))
#endif
            reach_error();
    }
    return 0;
}
