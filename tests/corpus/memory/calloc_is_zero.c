// verdict: unreachable
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n < 1 || n > 100)
        return 0;
    long *block = calloc(n, sizeof *block);
    if (block == NULL)
        return 0;
    if (block[n / 2] != 0)
        reach_error();
    free(block);
    return 0;
}
