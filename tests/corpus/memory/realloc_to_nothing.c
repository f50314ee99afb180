// verdict: reachable
// inputs: 0
// As the platform's library does it: the block is freed, and the result is null.
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

int main(void) {
    unsigned char bytes = __VERIFIER_nondet_uchar();
    char *block = malloc(3);
    char *moved = realloc(block, bytes);
    if (moved == NULL)
        reach_error();
    return 0;
}
