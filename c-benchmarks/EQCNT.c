// EQCNT: counts the pairs of equal elements of two arrays.
//
// verdict: reachable
// classic: timeout
// compact: reached
// source: ATVA 2013, Table 1 (EQCNT); ATVA 2011, Section 4 (EQCNT)
//
// Known from the papers: nested loops with branching, where a variable defined in the outermost
// scope is modified in the innermost loop. The numbers of iterations depend on the input.
// Chosen: two arrays of any lengths; the target asks for more than 20 equal pairs.
// With -DBOUND=b neither array is longer than b.
#include "../runtime/include/compact_se.h"
#include <stdlib.h>

void reach_error(void) {}

int main(void) {
    int n = compact_se_int("n");
    int m = compact_se_int("m");
    if (n < 0 || m < 0)
        return 0;
#ifdef BOUND
    compact_se_assume(n <= BOUND && m <= BOUND);
#endif
    int *a = malloc((size_t)n * sizeof *a);
    int *b = malloc((size_t)m * sizeof *b);
    compact_se_make_symbolic(a, (size_t)n * sizeof *a, "a");
    compact_se_make_symbolic(b, (size_t)m * sizeof *b, "b");

    int equal = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (a[i] == b[j])
                equal++;
    if (equal > 20)
        reach_error();
    return 0;
}
