// check: abort
#include <signal.h>
extern int __VERIFIER_nondet_int(void);

static void ignore(int number) { (void)number; }

int main(void) {
#ifdef FIXED
    signal(SIGTERM, ignore);
#endif
    if (__VERIFIER_nondet_int() == 7)
        raise(SIGTERM); // error: a signal ends the program
    return 0;
}
