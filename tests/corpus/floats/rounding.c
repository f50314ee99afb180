// verdict: unreachable
#include <math.h>
extern short __VERIFIER_nondet_short(void);
void reach_error(void) {}

int main(void) {
    if (floor(-0.5) != -1 || ceil(2.25) != 3 || trunc(-2.75) != -2 || round(2.5) != 3 ||
        rint(2.5) != 2 || floorf(1e10f) != 1e10f || lround(-2.5) != -3)
        reach_error();
    if (!signbit(ceil(-0.5)) || !isnan(fmin(NAN, NAN)) || fmax(NAN, 1) != 1 || sqrt(2.25) != 1.5)
        reach_error();
    if (isinf(1e308) || !isinf(-1e308 * 10) || isnormal(1e-310) || !isfinite(1e-310) ||
        fpclassify(1e-310) != FP_SUBNORMAL)
        reach_error();
    short n = __VERIFIER_nondet_short();
    if ((short)floor(n) != n)
        reach_error();
    return 0;
}
