// A number between bounds is divided down to a digit.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), count = 0;
    if (n < 0)
        return 0;
    while (n > 9) {
        n /= 10;
        count++;
    }
#ifdef FALSE
    if (!(n >= 0 && n <= 9 && count < 3))
#else
    if (!(n >= 0 && n <= 9 && count >= 0))
#endif
        reach_error();
    return 0;
}
