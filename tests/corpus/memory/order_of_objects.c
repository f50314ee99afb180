// verdict: unreachable
// Of two objects that are alive one lies before the other, whatever their sizes, and they do not overlap.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int table[4], other[4];
    unsigned i = __VERIFIER_nondet_int() % 4u, j = __VERIFIER_nondet_int() % 4u;
    int *p = &table[i], *q = &other[j];
    if (p == q || !(p < q || p > q) || (p < q && q < p))
        reach_error();
    // What is before one byte is before all.
    if (p < q && table >= &other[3])
        reach_error();
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 9)
        return 0;
    char *some = malloc(n), *more = malloc(n + 1);
    if (some == more || some == (char *)p || (some < more) == (more < some))
        reach_error();
    if (&more[n] == (char *)&table[i])
        reach_error();
    // Three in a circle.
    if (some < more && more < (char *)p && (char *)p < some)
        reach_error();
    free(some);
    free(more);
    return 0;
}
