// recursion_mutual: two functions that call each other a symbolic number of times.
//
// verdict: reachable
// classic: reached
// source: own; for indirect recursion as in arXiv 1201.4715, Section 5.2
#include "../runtime/include/compact_se.h"

void reach_error(void) {}

static int is_odd(unsigned n);

static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

int main(void) {
    unsigned n = compact_se_uint("n");
    if (n > 50 && is_odd(n))
        reach_error();
    return 0;
}
