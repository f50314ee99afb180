// verdict: unreachable
//
// What is left beside the nearest multiple, the even one of two: exact, and at most a half.
#include <math.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < -100 || n > 100)
        return 0;
    double rest = remainder(n, 4);
    if (rest < -2 || rest > 2)
        reach_error();
    if (remainder(5, 2) != 1 || remainder(7, 2) != -1 || remainderf(6.5f, 2) != 0.5f)
        reach_error();
    if (remainder(1e300, 3.0) != -remainder(-1e300, 3.0) || remainder(1e300, 0.7) > 0.35)
        reach_error();
    return 0;
}
