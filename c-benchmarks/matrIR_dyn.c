// matrIR_dyn: matrIR with a matrix of symbolic height and width on the heap.
//
// verdict: reachable
// classic: timeout
// compact: reached
// source: ATVA 2013, Table 1 (matrIR_dyn)
//
// Known from the paper: the name and the figures, which are a few times those of matrIR.
// Chosen: what matrIR.c does, for rows and columns that are inputs of their own. The matrix is one
// block in row-major order, so that the width is a factor of every index: where matrIR has a
// constant stride, this program has a symbolic one. Both sizes end at 10000, which keeps the
// product away from an overflow.
#include "../runtime/include/compact_se.h"
#include <stdlib.h>

void reach_error(void) {}

enum { LARGEST = 10000 };

int main(void) {
    int rows = compact_se_int("rows");
    int columns = compact_se_int("columns");
    if (rows < 0 || rows > LARGEST || columns < 0 || columns > LARGEST)
        return 0;
    size_t bytes = (size_t)(rows * columns) * sizeof(int);
    int *matrix = malloc(bytes);
    compact_se_make_symbolic(matrix, bytes, "matrix");

    for (int i = 0; i < rows; i++) {
        int in_range = 0;
        for (int j = i; j < columns; j++)
            if (matrix[i * columns + j] > 10 && matrix[i * columns + j] < 100)
                in_range++;
        if (in_range > 15 && rows > 20 && columns > 20)
            reach_error();
    }
    return 0;
}
