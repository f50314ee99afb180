// run: --target memcpy => 1
// run: --target memset => 1
// run: --target abs => 1
// run: --target fabs => 1
// run: --target strlen => 1
// run: --target memcpy -DNEVER => 0
// run: --target __builtin_trap => 2 __builtin_trap
// run: --target __builtin_popcount => 2 is a compiler builtin
// Calls that clang makes other code of are targets, or refused by name.
#include <math.h>
#include <stdlib.h>
#include <string.h>
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    char a[8] = "", b[8] = "abc";
    unsigned n = __VERIFIER_nondet_uint();
#ifndef NEVER
    if (n == 3)
        memcpy(a, b, n);
#else
    if (n == 3 && n == 4)
        memcpy(a, b, n);
#endif
    if (n == 4)
        memset(a, 0, sizeof a);
    if (n == 5)
        return abs(-1) + (int)fabs(a[0]) + (int)strlen(b) + __builtin_popcount(n);
    if (n == 6)
        __builtin_trap();
    return a[0];
}
