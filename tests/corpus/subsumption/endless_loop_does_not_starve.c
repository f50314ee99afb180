// verdict: reachable
// inputs: 0
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x != 0) {
        // Endless, always with a new state, and always next to the target.
        while (1) {
            int y = __VERIFIER_nondet_int();
            x = 3 * x + (y & 1);
            if (y == 4 && (y & 1))
                reach_error();
        }
    }
    int deep = 0;
    while (deep < 300)
        deep += 1 + (deep & 1);
    if (deep > 100)
        reach_error();
    return 0;
}
