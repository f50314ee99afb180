// Quotient and remainder by repeated subtraction.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int(), q = 0;
    if (x < 0)
        return 0;
    int r = x;
    while (r >= 7) {
        r -= 7;
        q++;
    }
#ifdef FALSE
    if (!(x == 7 * q + r && r < 6))
#else
    if (!(x == 7 * q + r && r < 7 && r >= 0))
#endif
        reach_error();
    return 0;
}
