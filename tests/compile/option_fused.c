// run: => 0
// run: -DFUSED => 1 an assertion fails
// run: -DFUSED -mfma => 0
// run: -mfma => 1 an assertion fails
// run: -mfma -ffp-contract=off => 0
// A processor with -mfma rounds a product and a sum once.
#include <assert.h>
double __VERIFIER_nondet_double(void);
int main(void) {
    double a = __VERIFIER_nondet_double();
    if (a != 1 + 0x1p-30)
        return 0;
    double difference = a * a - (1 + 0x1p-29);
#ifdef FUSED
    assert(difference == 0x1p-60);
#else
    assert(difference == 0);
#endif
}
