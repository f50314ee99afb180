// matrIR: scans the upper triangle of a matrix for a row with many elements in a range.
//
// verdict: reachable
// classic: timeout
// compact: reached
// source: ATVA 2013, Table 1 (matrIR); ISSTA 2012, Section 6 (MatrIR)
//
// Known from the papers: the upper triangle of an input matrix is scanned; the target is reached
// if the matrix is bigger than 20 x 20 and has a line with more than 15 scanned elements between
// 10 and 100.
// Chosen: a square matrix of any size up to 100 in an array of fixed size (matrIR_dyn.c has any
// size); "between" excludes the bounds; the size is tested where a line is complete.
// With -DBOUND=b the matrix has any size up to b; it has rows of b elements on the heap then, as
// many as are used, since b*b elements may be more than a machine has.
#include "../runtime/include/compact_se.h"
#include <stdlib.h>

void reach_error(void) {}

#ifndef BOUND
enum { LARGEST = 100 };
#else
enum { LARGEST = BOUND };
#endif

int main(void) {
#ifndef BOUND
    static int matrix[LARGEST][LARGEST];
#endif
    int n = compact_se_int("n");
    if (n < 0 || n > LARGEST)
        return 0;
#ifndef BOUND
    compact_se_make_symbolic(matrix, sizeof matrix, "matrix");
#else
    int(*matrix)[LARGEST] = malloc((size_t)n * sizeof *matrix);
    compact_se_make_symbolic(matrix, (size_t)n * sizeof *matrix, "matrix");
#endif

    for (int i = 0; i < n; i++) {
        int in_range = 0;
        for (int j = i; j < n; j++)
            if (matrix[i][j] > 10 && matrix[i][j] < 100)
                in_range++;
        if (in_range > 15 && n > 20)
            reach_error();
    }
    return 0;
}
