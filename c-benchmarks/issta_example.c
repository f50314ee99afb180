// issta_example: the running example of Abstracting Path Conditions.
//
// verdict: reachable
// classic: reached
// source: ISSTA 2012, Section 2 (which reports no run of it)
//
// Known from the paper: everything but the declarations. The assertion on the last line is the
// target; the shortest array that reaches it has 16 elements.
#include "../runtime/include/compact_se.h"
#include <stdlib.h>

void reach_error(void) {}

int main(void) {
    int n = compact_se_int("n");
    if (n < 0)
        return 0;
    int *A = malloc((size_t)n * sizeof *A);
    compact_se_make_symbolic(A, (size_t)n * sizeof *A, "A");

    int k = 0;
    for (int i = 3; i < n; ++i) {
        if (A[i] == 1)
            ++k;
    }
    if (k > 12)
        reach_error();
    return 0;
}
