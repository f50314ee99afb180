// check: memory, index
extern unsigned __VERIFIER_nondet_uint(void);
static int board[3][5];

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), column = 0;
    while (column < n)
        column += 5;
#ifdef FIXED
    column %= 5;
#else
    column %= 6;
#endif
    board[1][column] = 1; // error: index out of the bounds of its array
    return 0;
}
