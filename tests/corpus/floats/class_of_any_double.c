// verdict: unreachable
#include <math.h>
extern double __VERIFIER_nondet_double(void);
void reach_error(void) {}

int main(void) {
    double x = __VERIFIER_nondet_double();
    if (isnan(x) + isinf(x) + (x == 0) + isnormal(x) > 1 || (isfinite(x) && x - x != 0))
        reach_error();
    return 0;
}
