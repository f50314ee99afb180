// DOIF: scans an array and acts on the value of each element.
//
// verdict: reachable
// classic: timeout
// source: ATVA 2011, Section 4 (DOIF; classic: KLEE, 30 minutes)
//
// Known from the paper: for each member of the input array an action is performed that depends on
// its value; one root chain and four others, that is, a loop with four ways through it.
// Chosen: an array of any length; three values are counted, the others are passed over; the target
// asks for more than seven of each of the three, so for 24 iterations at least.
#include "../runtime/include/compact_se.h"
#include <stdlib.h>

void reach_error(void) {}

int main(void) {
    int n = compact_se_int("n");
    if (n < 0)
        return 0;
    int *a = malloc((size_t)n * sizeof *a);
    compact_se_make_symbolic(a, (size_t)n * sizeof *a, "a");

    int ones = 0, twos = 0, threes = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] == 1)
            ones++;
        else if (a[i] == 2)
            twos++;
        else if (a[i] == 3)
            threes++;
    }
    if (ones > 7 && twos > 7 && threes > 7)
        reach_error();
    return 0;
}
