// check: memory
// A block is made larger by a pointer behind its header.
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    char *block = malloc(8);
    if (block == NULL)
        return 1;
    char *content = block + 4;
    unsigned char more = __VERIFIER_nondet_uchar();
#ifdef FIXED
    content = block;
#endif
    if (more > 8)
        block = realloc(content, more); // error: free of memory that is not from malloc
    free(block);
    return 0;
}
