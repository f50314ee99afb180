// OneLoop: counts in steps of four and asks for a number that is none of them.
//
// verdict: unreachable
// classic: timeout
// compact: unreachable
// source: ATVA 2013, Table 1 (OneLoop); ATVA 2011, Section 4; ISSTA 2012, Section 6
//
// Known from the papers: a loop iterated n times increases i, initially 0, by 4. Once the loop is
// finished, the target is guarded by i == 15.
// With -DBOUND=b there are at most b iterations.
// Why it is unreachable: i is a multiple of 4, also modulo 2^32, and 15 is not.
#include "../runtime/include/compact_se.h"

void reach_error(void) {}

int main(void) {
    int n = compact_se_int("n");
#ifdef BOUND
    compact_se_assume(n <= BOUND);
#endif
    int i = 0;
    for (int k = 0; k < n; k++)
        i += 4;
    if (i == 15)
        reach_error();
    return 0;
}
