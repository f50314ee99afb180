// verdict: reachable
// inputs: unchecked  # a block of more than 100000 bytes
// classic: unknown  # as many paths as elements
// No witness has small blocks, since a row has a megabyte; what its cells hold is not zero.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

enum { ROW = 250000 };

void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 20 || n > ROW)
        return 0;
    int(*matrix)[ROW] = malloc((size_t)n * sizeof *matrix);
    int many = 0;
    for (int j = 0; j < n; j++)
        if (matrix[1][j] > 10 && matrix[1][j] < 100)
            many++;
    if (many > 15)
        reach_error();
    return 0;
}
