// verdict: unreachable
// Compilers have calls by name done by instructions, which take the first of two zeros; the library takes
// the second.
#include <math.h>

void reach_error(void) {}
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    double positive = __VERIFIER_nondet_bool(), zero = positive - positive;
    double (*smallest)(double, double) = fmin;
    if (signbit(fmin(zero, -zero)) || !signbit(fmin(-zero, zero)))
        reach_error();
    if (!signbit(smallest(zero, -zero)) || signbit(smallest(-zero, zero)))
        reach_error();
    return 0;
}
