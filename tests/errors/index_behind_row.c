// check: memory, index
// Of `board[1][n]++` clang checks the address, which may be that behind the end.
extern unsigned __VERIFIER_nondet_uint(void);
static int board[3][5];

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), column = 0;
    while (column < n)
        column += 5;
#ifdef FIXED
    column = column % 5 + board[0][0];
#else
    column = column % 6 + board[0][0];
#endif
    int *end = &board[1][5];
    board[1][column]++; // error: index out of the bounds of its array
    return end != &board[2][0];
}
