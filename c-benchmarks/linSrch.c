// linSrch: linear search in an array of any length.
//
// verdict: reachable
// classic: reached
// source: ATVA 2013, Figure 1; arXiv 1201.4715, Figure 1 (neither reports a run)
//
// Known from the papers: linSrch returns the least index i with A[i] == x, or -1.
// Chosen: the target asks for a result above 20.
#include "../runtime/include/compact_se.h"
#include <stdlib.h>

void reach_error(void) {}

static int linSrch(const int *A, int n, int x) {
    for (int i = 0; i < n; i++)
        if (A[i] == x)
            return i;
    return -1;
}

int main(void) {
    int n = compact_se_int("n");
    if (n < 0)
        return 0;
    int *A = malloc((size_t)n * sizeof *A);
    compact_se_make_symbolic(A, (size_t)n * sizeof *A, "A");
    int x = compact_se_int("x");

    if (linSrch(A, n, x) > 20)
        reach_error();
    return 0;
}
