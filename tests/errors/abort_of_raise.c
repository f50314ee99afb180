// check: abort
#include <signal.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
#ifdef FIXED
    if (n == 7)
        return 1;
#endif
    if (n == 7)
        raise(SIGABRT); // error: the program aborts
    return 0;
}
