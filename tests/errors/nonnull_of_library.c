// check: nonnull
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);

static char stored[8];

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    const char *text = n % 8 == 0 ? 0 : "seven b";
#ifdef FIXED
    if (text)
#endif
        memcpy(stored, text, n % 8); // error: null for a parameter that is declared non-null
    return stored[0];
}
