// recursion_factorial: the factorial, whose recursion multiplies on the way back.
//
// verdict: reachable
// classic: reached
// source: own; for recursion templates as in arXiv 1201.4715, Section 5.2
//
// 10! is 3628800; no other argument has this factorial modulo 2^32: from 34 on it is 0, and those
// up to 33 are distinct from it.
#include "../runtime/include/compact_se.h"

void reach_error(void) {}

static unsigned factorial(unsigned n) { return n == 0 ? 1 : n * factorial(n - 1); }

int main(void) {
    unsigned n = compact_se_uint("n");
    if (factorial(n) == 3628800u)
        reach_error();
    return 0;
}
