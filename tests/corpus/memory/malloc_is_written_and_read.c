// verdict: unreachable
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 4)
        return 0;
    int *block = malloc((size_t)n * sizeof *block);
    if (block == NULL)
        return 0;
    for (int i = 0; i < n; i++)
        block[i] = i;
    if (block[n - 1] != n - 1)
        reach_error();
    free(block);
    return 0;
}
