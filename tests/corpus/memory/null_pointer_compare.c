// verdict: unreachable
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int x = __VERIFIER_nondet_int();
    int *p = x > 0 ? &x : NULL;
    if (p == NULL && x > 0)
        reach_error();
    if (p != NULL && *p <= 0)
        reach_error();
    return 0;
}
