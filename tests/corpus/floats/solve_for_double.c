// verdict: reachable
// inputs: 4612811918334230528  # the bits
//
// Some double times three is 7.5.
extern double __VERIFIER_nondet_double(void);
void reach_error(void) {}

int main(void) {
    double x = __VERIFIER_nondet_double();
    if (x > 2.0 && x < 3.0 && x * 3.0 == 7.5)
        reach_error();
    return 0;
}
