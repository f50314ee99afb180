// verdict: unreachable
// As gcd_of_remainders, with signs, of which one is known besides.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static int gcd(int a, int b) {
    while (b != 0) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

int main(void) {
    int a = __VERIFIER_nondet_int() % 12, large = __VERIFIER_nondet_int();
    if (large < 1000)
        return 0;
    int b = large % 15;
    int divisor = gcd(a, b);
    if (divisor != 0 && (a % divisor != 0 || b % divisor != 0))
        reach_error();
    return 0;
}
