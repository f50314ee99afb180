// verdict: reachable
// inputs: 1, 3
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int table[3][4] = {{0}};
    int row = __VERIFIER_nondet_int(), column = __VERIFIER_nondet_int();
    if (row < 0 || row > 2 || column < 0 || column > 3)
        return 0;
    table[row][column] = 9;
    int *flat = &table[0][0];
    if (flat == &table[0][0] && table[1][3] == 9 && row * 4 + column == 7)
        reach_error();
    return 0;
}
