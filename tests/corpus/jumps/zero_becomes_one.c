// verdict: unreachable
// The value that setjmp returns is the one given to longjmp, but for 0, which becomes 1.
#include <setjmp.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static jmp_buf at;

static void jump(int value) { longjmp(at, value); }

int main(void) {
    volatile int given = __VERIFIER_nondet_int();
    volatile int has_jumped = 0;
    int value = setjmp(at);
    if (value == 0) {
        if (has_jumped)
            reach_error();
        has_jumped = 1;
        jump(given);
        reach_error();
    }
    if (value != (given ? given : 1))
        reach_error();
    return 0;
}
