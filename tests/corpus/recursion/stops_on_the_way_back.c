// verdict: unreachable
// classic: unknown  # a path for each depth
//
// The program ends in a frame before the outermost one returns, if there are as many.
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

static unsigned back(unsigned n) {
    if (n == 0)
        return 0;
    unsigned below = back(n - 1);
    if (n == 10)
        exit(0);
    return below + 1;
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (back(n) > 9)
        reach_error();
    return 0;
}
