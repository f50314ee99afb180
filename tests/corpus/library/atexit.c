// verdict: reachable
// inputs: 7
//
// Handlers run in reverse order, at exit and at a return from main.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
static int order;

static void first(void) {
    if (order == 3)
        reach_error();
}
static void second(void) { order = order * 2 + 1; }
static void third(void) { order = 1; }

int main(void) {
    int n = __VERIFIER_nondet_int();
    atexit(first);
    atexit(second);
    if (n == 12)
        exit(1);
    if (n == 7)
        atexit(third);
    return 0;
}
