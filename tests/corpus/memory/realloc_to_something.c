// verdict: unreachable
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

int main(void) {
    unsigned char bytes = __VERIFIER_nondet_uchar();
    char *block = malloc(3);
    block[0] = 7;
    char *moved = realloc(block, bytes);
    if (bytes != 0 && (moved == NULL || moved[0] != 7))
        reach_error();
    if (bytes == 0 && moved != NULL)
        reach_error();
    return 0;
}
