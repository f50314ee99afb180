// check: pointer-pair
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    int *first = malloc(16), *second = malloc(16);
    unsigned n = __VERIFIER_nondet_uint();
    if (!first || !second || n > 4)
        return 1;
#ifdef FIXED
    int *end = first + n;
#else
    int *end = n == 4 ? second : first + n;
#endif
    int is_behind = end > first; // error: order or difference of pointers to different objects
    free(first);
    free(second);
    return is_behind;
}
