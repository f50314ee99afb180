// verdict: reachable
// inputs: 2143289344  # the bits
//
// Only a NaN differs from itself.
extern float __VERIFIER_nondet_float(void);
void reach_error(void) {}

int main(void) {
    float x = __VERIFIER_nondet_float();
    if (x != x)
        reach_error();
    return 0;
}
