// check: unreachable
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

static _Noreturn void stop(unsigned depth) {
    if (depth > 0)
        stop(depth - 1); // error: code that must not be reached
#ifdef FIXED
    exit(0);
#endif
}

int main(void) {
    stop(__VERIFIER_nondet_uint() % 3);
}
