// verdict: unreachable
// For integers up to a thousand rounding goes the way back.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < -1000 || n > 1000)
        return 0;
    double number = n;
    if (number / 3 * 3 != number)
        reach_error();
    return 0;
}
