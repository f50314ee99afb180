// recursion_linSrchRec: linear search by tail recursion.
//
// verdict: reachable
// classic: reached
// source: arXiv 1201.4715, Figure 3 (which reports no run)
//
// Known from the paper: linSrchRec is equivalent to linSrch; the recursive calls and the returns
// from them are two cyclic paths with one number of iterations.
// Chosen: as in linSrch.c.
#include "../runtime/include/compact_se.h"
#include <stdlib.h>

void reach_error(void) {}

static int linSrchRec(const int *A, int n, int x, int i) {
    if (i >= n)
        return -1;
    if (A[i] == x)
        return i;
    return linSrchRec(A, n, x, i + 1);
}

int main(void) {
    int n = compact_se_int("n");
    if (n < 0)
        return 0;
    int *A = malloc((size_t)n * sizeof *A);
    compact_se_make_symbolic(A, (size_t)n * sizeof *A, "A");
    int x = compact_se_int("x");

    if (linSrchRec(A, n, x, 0) > 20)
        reach_error();
    return 0;
}
