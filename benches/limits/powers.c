// A power by squares and products: conditions on products of up to 2^64 factors.
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void reach_error(void);

int main(void) {
    unsigned long base = __VERIFIER_nondet_ulong(), exponent = __VERIFIER_nondet_ulong();
    unsigned long power = 1;
    for (int i = 0; i < 64; i++) {
        if (exponent >> i & 1)
            power *= base;
        base = base * base;
    }
    if (power == 7)
        reach_error();
    return 0;
}
