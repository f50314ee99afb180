// recursion_countIfRec_a: counting by recursion, with the branching behind the recursive call.
//
// verdict: reachable
// classic: timeout
// source: arXiv 1201.4715, Figure 4 (a) (which reports no run)
//
// Known from the paper: an implementation of countIf in which the way from the return of the
// recursive call to the function's own return branches. The algorithm of its Section 5.2 finds no
// template here; (b) is the equivalent program for which it does.
// Chosen: as in countIf.c.
#include "../runtime/include/compact_se.h"
#include <stdlib.h>

void reach_error(void) {}

static int countIfRec(const int *A, int n, int x, int i) {
    if (i >= n)
        return 0;
    int count = countIfRec(A, n, x, i + 1);
    if (A[i] == x)
        count++;
    return count;
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
