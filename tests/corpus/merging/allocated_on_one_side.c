// verdict: unreachable
//
// An object that only one side has, and one that only one side has freed.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int local = 4;
    int *p = &local, *q = malloc(sizeof *q);
    *q = 1;
    int side = __VERIFIER_nondet_int();
    if (side) {
        p = malloc(sizeof *p);
        *p = 9;
    }
    if (side > 5)
        free(q);
    if (*p != (side ? 9 : 4))
        reach_error();
    if (side <= 5 && *q != 1)
        reach_error();
    return 0;
}
