// verdict: reachable
// inputs: 7
//
// Handlers of quick_exit run in reverse order where it is called, and nowhere else.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
static int order;

static void first(void) {
    if (order == 1)
        reach_error();
}
static void second(void) { order++; }
static void at_exit(void) { reach_error(); }

int main(void) {
    int n = __VERIFIER_nondet_int();
    at_quick_exit(first);
    at_quick_exit(second);
    if (n == 7) {
        atexit(at_exit);
        quick_exit(1);
    }
    return 0;
}
