// check: overflow
#include <limits.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
#ifdef FIXED
    if (n == INT_MIN)
        return 1;
#endif
    return (n < 0 ? -n : n) < 0; // error: signed overflow
}
