// verdict: unreachable
//
// Parts of a double put together again, and a remainder; both are exact.
#include <math.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int(), exponent;
    if (n <= 0 || n > 1000)
        return 0;
    double x = n, half = frexp(x, &exponent);
    if (ldexp(half, exponent) != x)
        reach_error();
    if (fmod(7.5, 2.0) != 1.5 || fmod(-1e300, 3.0) != -fmod(1e300, 3.0))
        reach_error();
    return 0;
}
