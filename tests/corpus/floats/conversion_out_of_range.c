// verdict: unreachable
// classic: unknown  # the conversion is undefined behaviour for most inputs
// compact: unknown  # the same
//
// What a conversion that does not fit gives is not defined, so that nothing is claimed.
extern double __VERIFIER_nondet_double(void);
void reach_error(void) {}

int main(void) {
    double x = __VERIFIER_nondet_double();
    int i = (int)x;
    if (x >= 0.0 && x < 100.0 && i < 0)
        reach_error();
    return 0;
}
