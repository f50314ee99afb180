// copy: copies an array of any length up to a bound, and asks for an element that differs.
//
// verdict: unreachable
// classic: timeout
// compact: unreachable
// source: own; the loop of strncpy and memcpy, for which classic execution has a path a length
//
// Chosen: lengths up to 1000, with -DBOUND=b up to b; the element that is asked for is an input.
// Why it is unreachable: every element below n was copied, and the target compares no other one.
#include "../runtime/include/compact_se.h"

#ifndef BOUND
#define BOUND 1000
#endif

void reach_error(void) {}

static char from[BOUND];
static char to[BOUND];

int main(void) {
    int n = compact_se_int("n");
    if (n < 0 || n > BOUND)
        return 0;
    compact_se_make_symbolic(from, sizeof from, "from");

    for (int i = 0; i < n; i++)
        to[i] = from[i];

    int k = compact_se_int("k");
    if (k >= 0 && k < n && to[k] != from[k])
        reach_error();
    return 0;
}
