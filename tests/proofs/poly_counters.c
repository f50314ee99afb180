// Division by counting up to the divisor.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), by = __VERIFIER_nondet_int();
    if (n < 0 || by < 1)
        return 0;
    int quotient = 0, rest = 0, left = n;
    while (left != 0) {
        if (rest + 1 == by) {
            quotient++;
            rest = 0;
        } else {
            rest++;
        }
        left--;
#ifdef FALSE
        if (!(quotient * by + rest + left == n && quotient != 2))
#else
        if (!(quotient * by + rest + left == n))
#endif
            reach_error();
    }
    return 0;
}
