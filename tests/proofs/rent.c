// The orders are never struck off, since no day's rent exceeds what may be paid for them: that needs a slope, an
// equation and an order at once.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int orders = 0, paid = 0, days = 0, rent = 0;
    while (__VERIFIER_nondet_int() && paid < 5000) {
        if (__VERIFIER_nondet_int()) {
            orders += 2;
            paid += 90;
        } else if (__VERIFIER_nondet_int()) {
            if (orders >= 6) {
                orders++;
                paid += 2;
            }
        } else if (paid > 9 * days && rent >= 45 * orders) {
            paid = 0;
        }
        days++;
        rent += 9;
    }
#ifdef FALSE
    if (orders >= 6 && paid <= 270)
#else
    if (orders >= 6 && paid < 6)
#endif
        reach_error();
    return 0;
}
