// verdict: reachable
// inputs: 7
// Three paths take turns.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int x = 0;
    int y = 0;
    int z = 0;
    int turn = 0;
    if (n < 0)
        return 0;
    for (int i = 0; i < n; i++) {
        if (turn == 0) {
            x++;
            turn = 1;
        } else if (turn == 1) {
            y++;
            turn = 2;
        } else {
            z++;
            turn = 0;
        }
    }
    if (x == 3 && y == 2 && z == 2)
        reach_error();
    return 0;
}
