// verdict: unreachable
//
// Several ways meet at once; none of them is forgotten.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int x = __VERIFIER_nondet_int(), y = 0, z = 0;
    switch (x) {
    case 1:
        y = 10;
        break;
    case 2:
        y = 20;
        break;
    case 7:
        y = 70;
        z = 1;
        break;
    default:
        if (x > 100)
            y = 5;
        else if (x < -100)
            y = 6;
        break;
    }
    if (y > 6 && y != 10 * x)
        reach_error();
    if (z != (x == 7))
        reach_error();
    if ((y == 5) != (x > 100) || (y == 6) != (x < -100))
        reach_error();
    return 0;
}
