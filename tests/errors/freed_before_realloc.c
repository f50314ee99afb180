// check: memory
// A buffer grows after it was given back.
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    char *buffer = malloc(4);
    unsigned char bytes = __VERIFIER_nondet_uchar();
    if (bytes == 0) {
        free(buffer);
#ifdef FIXED
        return 0;
#endif
    }
    buffer = realloc(buffer, 8); // error: double free
    free(buffer);
    return 0;
}
