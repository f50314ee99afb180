// verdict: unreachable
//
// The ways out of a loop meet behind it, and those within an iteration at its end.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int steps = 0, taken = 0;
    while (steps < 12) {
        int x = __VERIFIER_nondet_int();
        if (x == 99)
            break;
        if (x & 1)
            taken++;
        else if (x > 1000)
            taken += 2;
        steps++;
    }
    if (taken > 2 * steps || taken < 0)
        reach_error();
    if (steps < 12 && taken > 22)
        reach_error();
    return 0;
}
