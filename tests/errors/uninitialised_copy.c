// check: uninitialised
#include <string.h>
extern int __VERIFIER_nondet_int(void);
struct point { int x, y; };

int main(void) {
    struct point from, to;
    from.x = __VERIFIER_nondet_int();
#ifdef FIXED
    from.y = 0;
#endif
    // A copy is no use.
    memcpy(&to, &from, sizeof to);
    if (to.x > 3 && to.y > 3) // error: use of an uninitialised value
        return 1;
    return 0;
}
