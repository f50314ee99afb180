// verdict: unreachable
// classic: unknown  # one path for each value of the bound
// Two paths take turns by a flag.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int x = 0;
    int y = 0;
    int turn = 1;
    if (n < 0)
        return 0;
    for (int i = 0; i < n; i++) {
        if (turn) {
            x++;
            turn = 0;
        } else {
            y++;
            turn = 1;
        }
    }
    if (x + y != n || (x != y && x != y + 1))
        reach_error();
    return 0;
}
