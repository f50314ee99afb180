// verdict: reachable
// inputs: 9223372036854775808  # the bits
//
// −0 equals 0 but divides differently.
extern double __VERIFIER_nondet_double(void);
void reach_error(void) {}

int main(void) {
    double x = __VERIFIER_nondet_double();
    if (x == 0.0 && 1.0 / x < 0.0)
        reach_error();
    return 0;
}
