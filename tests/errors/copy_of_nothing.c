// check: memory
// Copies of no bytes are allowed from anywhere.
#include <stdlib.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned length = __VERIFIER_nondet_uint();
    char kept[8], other[8] = {0}, *given = length > 0 ? other : 0;
    if (length > 8)
        return 0;
    memcpy(kept, given, length);
    memset(given, 1, length);
    given = malloc(8);
    free(given);
#ifdef FIXED
    if (length > 0)
        given = other;
#endif
    memcpy(kept, given, length); // error: access to freed memory
    return 0;
}
