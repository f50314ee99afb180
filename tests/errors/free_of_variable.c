// check: memory
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    char small[16], *buffer = small;
    unsigned size = __VERIFIER_nondet_uint();
    if (size > 100)
        return 1;
    if (size > sizeof small)
        buffer = malloc(size);
    buffer[0] = 'a';
#ifdef FIXED
    if (buffer != small)
#endif
        free(buffer); // error: free of memory that is not from malloc
    return 0;
}
