// recursion_mutual_safe: recursion_mutual, asked for a number that is even and odd.
//
// verdict: unreachable
// classic: timeout
// source: own; for indirect recursion as in arXiv 1201.4715, Section 5.2
//
// Why it is unreachable: is_even(n) holds exactly for even n; the recursion subtracts 1 until 0 and
// ends for every unsigned number. Classic execution would need a path for each of the 2^32.
#include "../runtime/include/compact_se.h"

void reach_error(void) {}

static int is_odd(unsigned n);

static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

int main(void) {
    unsigned n = compact_se_uint("n");
    if (is_even(n) && n % 2 == 1)
        reach_error();
    return 0;
}
