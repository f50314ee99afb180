// check: memory
#include <setjmp.h>
extern int __VERIFIER_nondet_int(void);

static jmp_buf failed;
static int *latest;

static void parse(int n) {
    int length = n;
    latest = &length;
    if (n < 0)
        longjmp(failed, 1);
    latest = 0;
}

int main(void) {
    if (setjmp(failed) == 0) {
        parse(__VERIFIER_nondet_int());
        return 0;
    }
#ifdef FIXED
    latest = 0;
#endif
    return latest && *latest; // error: access to a variable of a function that has returned
}
