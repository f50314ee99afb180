// verdict: unreachable
// What is unknown matters by its remainder only, so that there are few values.
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

static unsigned gcd(unsigned a, unsigned b) {
    while (b) {
        unsigned rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

int main(void) {
    unsigned a = __VERIFIER_nondet_uint() % 20 + 1, b = __VERIFIER_nondet_uint() % 20 + 1;
    unsigned divisor = gcd(a, b);
    if (a % divisor != 0 || b % divisor != 0)
        reach_error();
    return 0;
}
