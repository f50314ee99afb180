// recursion_countIfRec_b: counting by recursion, with the recursive calls below the branching.
//
// verdict: reachable
// classic: timeout
// source: arXiv 1201.4715, Figure 4 (b) (which reports no run)
//
// Known from the paper: recursion_countIfRec_a with the recursive calls moved below the branching,
// so that each of the two has a template.
// Chosen: as in countIf.c.
#include "../runtime/include/compact_se.h"
#include <stdlib.h>

void reach_error(void) {}

static int countIfRec(const int *A, int n, int x, int i) {
    if (i >= n)
        return 0;
    if (A[i] == x)
        return countIfRec(A, n, x, i + 1) + 1;
    return countIfRec(A, n, x, i + 1);
}

int main(void) {
    int n = compact_se_int("n");
    if (n < 0)
        return 0;
    int *A = malloc((size_t)n * sizeof *A);
    compact_se_make_symbolic(A, (size_t)n * sizeof *A, "A");
    int x = compact_se_int("x");

    if (countIfRec(A, n, x, 0) > 20)
        reach_error();
    return 0;
}
