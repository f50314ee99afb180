// check: memory
#include <string.h>
extern int __VERIFIER_nondet_int(void);
static char from[64];

int main(void) {
    char to[32], large[64];
#ifdef FIXED
    char *target = large;
#else
    char *target = __VERIFIER_nondet_int() == 99 ? to : large;
#endif
    to[0] = 1;
    memcpy(target, from, sizeof from); // error: access out of bounds
    return to[0];
}
