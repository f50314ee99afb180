// EQCNTex: two instances of EQCNT in sequence, with fixed numbers of iterations.
//
// verdict: unreachable
// classic: timeout
// compact: timeout
// source: ATVA 2013, Table 1 (EQCNTex); ATVA 2011, Section 4 (EQCNTex)
//
// Known from the papers: in a sense two instances of EQCNT in sequence, with numbers of iterations
// that are given explicitly; no feasible path leads to the target, and many have to be explored to
// show it.
// Chosen: 5 x 5 iterations an instance, on four separate arrays.
// Why it is unreachable: an instance counts at most one pair an iteration, so both together count
// at most 25 + 25 = 50.
#include "../runtime/include/compact_se.h"

void reach_error(void) {}

enum { SIZE = 5 };

int main(void) {
    int a[SIZE], b[SIZE], c[SIZE], d[SIZE];
    compact_se_make_symbolic(a, sizeof a, "a");
    compact_se_make_symbolic(b, sizeof b, "b");
    compact_se_make_symbolic(c, sizeof c, "c");
    compact_se_make_symbolic(d, sizeof d, "d");

    int first = 0;
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            if (a[i] == b[j])
                first++;

    int second = 0;
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            if (c[i] == d[j])
                second++;

    if (first + second > 2 * SIZE * SIZE)
        reach_error();
    return 0;
}
