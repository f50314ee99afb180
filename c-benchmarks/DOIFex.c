// DOIFex: two DOIF loops in sequence.
//
// verdict: reachable
// classic: timeout
// source: ATVA 2011, Section 4 (DOIFex; classic: KLEE, one hour)
//
// Known from the paper: an extension of DOIF that tests the behaviour on sequences of loops with
// internal branching; one root chain and eight others.
// Chosen: the loop of DOIF.c over each of two arrays of any lengths. The second loop goes on with
// the counters of the first and takes two away for each element.
#include "../runtime/include/compact_se.h"
#include <stdlib.h>

void reach_error(void) {}

int main(void) {
    int n = compact_se_int("n");
    int m = compact_se_int("m");
    if (n < 0 || m < 0)
        return 0;
    int *a = malloc((size_t)n * sizeof *a);
    int *b = malloc((size_t)m * sizeof *b);
    compact_se_make_symbolic(a, (size_t)n * sizeof *a, "a");
    compact_se_make_symbolic(b, (size_t)m * sizeof *b, "b");

    int ones = 0, twos = 0, threes = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] == 1)
            ones++;
        else if (a[i] == 2)
            twos++;
        else if (a[i] == 3)
            threes++;
    }
    for (int i = 0; i < m; i++) {
        if (b[i] == 1)
            ones -= 2;
        else if (b[i] == 2)
            twos -= 2;
        else if (b[i] == 3)
            threes -= 2;
    }
    if (ones > 7 && twos == -14 && threes > 4)
        reach_error();
    return 0;
}
