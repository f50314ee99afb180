// check: memory
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    char *block;
#ifdef FIXED
    if (n <= 0)
        return 1;
#else
    if (n == 0)
        return 1;
#endif
    block = malloc((size_t)n); // no object has 2^64 - 1 bytes
    block[0] = 1; // error: null pointer access
    free(block);
    return 0;
}
