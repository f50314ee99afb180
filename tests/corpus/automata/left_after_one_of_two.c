// verdict: unreachable
// classic: unknown  # one path for each value of the bound
// Two paths take turns, and only after one of them, the first, the loop can be left.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int i = 0;
    int x = 0;
    int y = 0;
    int turn = 0;
    while (i < n) {
        if (turn) {
            x++;
            turn = 0;
        } else {
            y++;
            i++;
            turn = 1;
        }
    }
    if (y > 0 && x != y - 1)
        reach_error();
    return 0;
}
