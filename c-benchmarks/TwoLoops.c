// TwoLoops: OneLoop with a second loop before the target, which never ends.
//
// verdict: unreachable
// classic: timeout
// compact: unreachable
// source: ATVA 2013, Table 1 (TwoLoops); ATVA 2011, Section 4; ISSTA 2012, Section 6
//
// Known from the papers: a loop iterated n times increases i, initially 0, by 4. The target is
// guarded by a loop while (i != j + 7) j += 2, where j is initially 0.
// Why it is unreachable: i is even, j + 7 is odd, also modulo 2^32. The second loop has no end,
// which -O0 keeps: a compiler that assumes progress could take the target for reached.
#include "../runtime/include/compact_se.h"

void reach_error(void) {}

int main(void) {
    int n = compact_se_int("n");
    int i = 0;
    for (int k = 0; k < n; k++)
        i += 4;
    int j = 0;
    while (i != j + 7)
        j += 2;
    reach_error();
    return 0;
}
