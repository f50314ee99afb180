// verdict: unreachable
//
// Figures 5.2 and 5.3 of the thesis: x leads to equal numbers on both sides, y to different ones, by
// way of pointers to pointers, some of which both variables share.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int one = 1, three = 3;
    int *to_one = &one, *to_three = &three;
    int **x, **y;
    int other = 1;
    int *to_other = &other;
    int condition = __VERIFIER_nondet_int();
    if (condition) {
        x = &to_one;
        y = &to_one;
    } else {
        x = &to_other;
        y = &to_three;
    }
    if (**x != 1)
        reach_error();
    if (**y != (condition ? 1 : 3))
        reach_error();
    **y = 7;
    if ((condition && (one != 7 || three != 3)) || (!condition && (one != 1 || three != 7)))
        reach_error();
    if (condition && **x != 7)
        reach_error();
    return 0;
}
