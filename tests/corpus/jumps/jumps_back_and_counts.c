// verdict: unreachable
// A jump back is a loop: setjmp returns one more each time.
#include <setjmp.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

static jmp_buf again;

static void next(int value) { longjmp(again, value + 1); }

int main(void) {
    volatile unsigned char n = __VERIFIER_nondet_uchar();
    volatile int n_times = 0;
    int value = setjmp(again);
    n_times++;
    if (value < n)
        next(value);
    if (n_times != n + 1)
        reach_error();
    return 0;
}
