// verdict: unreachable
// A record that is wrong is left by a jump, and the next one read: setjmp within a loop.
#include <setjmp.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

static jmp_buf wrong;

static int read_record(void) {
    int length = __VERIFIER_nondet_int();
    if (length < 0)
        longjmp(wrong, 1);
    return length;
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 4)
        return 0;
    volatile unsigned n_wrong = 0, n_right = 0;
    for (volatile unsigned i = 0; i < n; i++) {
        if (setjmp(wrong)) {
            n_wrong++;
        } else {
            read_record();
            n_right++;
        }
    }
    if (n_wrong + n_right != n)
        reach_error();
    return 0;
}
