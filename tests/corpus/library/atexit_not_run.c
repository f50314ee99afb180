// verdict: unreachable
//
// What is not registered is not run, nor is anything run by abort or _Exit.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
static int is_registered;

static void handler(void) {
    if (!is_registered)
        reach_error();
    is_registered = 0;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 5) {
        is_registered = 1;
        atexit(handler);
    }
    if (n == 8) {
        is_registered = 0;
        abort();
    }
    if (n == 9) {
        is_registered = 0;
        _Exit(1);
    }
    return 0;
}
