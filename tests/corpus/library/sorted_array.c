// verdict: unreachable
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static int compare(const void *lhs, const void *rhs) {
    int l = *(const int *)lhs, r = *(const int *)rhs;
    return (l > r) - (l < r);
}

int main(void) {
    int values[3];
    for (int i = 0; i < 3; i++)
        values[i] = __VERIFIER_nondet_int();
    qsort(values, 3, sizeof *values, compare);
    if (values[0] > values[1] || values[1] > values[2])
        reach_error();
    int *found = bsearch(&values[1], values, 3, sizeof *values, compare);
    if (!found || *found != values[1])
        reach_error();
    return 0;
}
