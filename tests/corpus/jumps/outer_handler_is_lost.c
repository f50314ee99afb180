// verdict: reachable
// inputs: 1, -5
// The known mistake of nested handlers: where the inner one has caught something, the outer one is not
// put back, so that the next error comes to the inner one's place again.
#include <setjmp.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static jmp_buf handler;

static void check(int n) {
    if (n < 0)
        longjmp(handler, 1);
}

int main(void) {
    jmp_buf saved;
    volatile int tried = 0;
    int first = __VERIFIER_nondet_int(), second = __VERIFIER_nondet_int();
    if (setjmp(handler))
        return 1;
    memcpy(&saved, &handler, sizeof saved);
    if (setjmp(handler) == 0) {
        check(first);
    } else {
        if (++tried == 2 || first >= 0)
            reach_error();
        memcpy(&handler, &saved, sizeof saved);
    }
    check(second);
    return 0;
}
