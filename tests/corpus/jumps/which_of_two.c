// verdict: unreachable
// Two places in one function, and one in each call of a recursive one: a jump comes to the one that the
// buffer was set at.
#include <setjmp.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

static jmp_buf buffers[4];

static int deep(int level, int to) {
    volatile int own = level;
    if (setjmp(buffers[level])) {
        if (own != to)
            reach_error();
        return 100 + own;
    }
    if (level == 3)
        longjmp(buffers[to], 1);
    return deep(level + 1, to);
}

int main(void) {
    volatile int to = __VERIFIER_nondet_uchar() & 3;
    if (deep(0, to) != 100 + to)
        reach_error();
    jmp_buf first, second;
    volatile _Bool is_second = __VERIFIER_nondet_bool();
    if (setjmp(first)) {
        if (is_second)
            reach_error();
        return 0;
    }
    if (sigsetjmp(second, 0)) {
        if (!is_second)
            reach_error();
        return 0;
    }
    if (is_second)
        siglongjmp(second, 1);
    longjmp(first, 1);
}
