// check: unreachable
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static _Noreturn void fail(int code) {
#ifdef FIXED
    exit(code);
#else
    if (code > 0)
        exit(code);
#endif
}

int main(void) {
    int code = __VERIFIER_nondet_int();
    if (code < 10)
        fail(code); // error: code marked as unreachable
    return 0;
}
