// verdict: reachable
// inputs: 4
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int x = __VERIFIER_nondet_int();
    int *block = malloc(2 * sizeof *block);
    if (block == NULL)
        return 0;
    block[0] = x;
    block[1] = 5;
    block = realloc(block, 4 * sizeof *block);
    if (block == NULL)
        return 0;
    block[3] = 1;
    if (block[0] + block[1] + block[3] == 10)
        reach_error();
    free(block);
    return 0;
}
