// verdict: unreachable
//
// An assertion that fails ends the execution before the target.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int x = __VERIFIER_nondet_int();
    assert(x > 0);
    if (x <= 0)
        reach_error();
    return 0;
}
