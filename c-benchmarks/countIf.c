// countIf: counts the elements of an array that have a given value.
//
// verdict: reachable
// classic: timeout
// source: arXiv 1201.4715, Figure 2 (which reports no run; 2^21 paths are shorter than the goal)
//
// Known from the paper: countIf counts the elements of A equal to x; its loop has two cycles, and
// with templates for one parameter the compact tree is an infinite list.
// Chosen: the target asks for more than 20 such elements.
#include "../runtime/include/compact_se.h"
#include <stdlib.h>

void reach_error(void) {}

static int countIf(const int *A, int n, int x) {
    int count = 0;
    for (int i = 0; i < n; i++)
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

    if (countIf(A, n, x) > 20)
        reach_error();
    return 0;
}
