// check: abort
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static void require(int condition) {
    if (!condition)
        abort(); // error: the program aborts
}

int main(void) {
    int n = __VERIFIER_nondet_int();
#ifdef FIXED
    if (n < 0 || n > 1000)
        exit(1);
#endif
    require(n % 1001 == n);
    return 0;
}
