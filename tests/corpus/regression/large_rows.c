// verdict: reachable
// inputs: unchecked  # a block of more than 100000 bytes
// classic: unknown  # as many paths as elements
// No witness has small blocks, since a row has a megabyte; what its cells hold is not zero.
#include "../../../runtime/include/compact_se.h"
#include <stdlib.h>

enum { ROW = 250000 };

void reach_error(void) {}

int main(void) {
    int n = compact_se_int("n");
    if (n < 20 || n > ROW)
        return 0;
    int(*matrix)[ROW] = malloc((size_t)n * sizeof *matrix);
    compact_se_make_symbolic(matrix, (size_t)n * sizeof *matrix, "matrix");
    int many = 0;
    for (int j = 0; j < n; j++)
        if (matrix[1][j] > 10 && matrix[1][j] < 100)
            many++;
    if (many > 15)
        reach_error();
    return 0;
}
