// verdict: reachable
// inputs: 77, 1, 0, 0
// The outer loop may set the bound too high.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int y = __VERIFIER_nondet_int(), x = y;
    while (__VERIFIER_nondet_int()) {
        int times = __VERIFIER_nondet_int();
        while (times > 0) {
            if (x < 1000000)
                x = x + 1;
            times = times - 1;
        }
        if (x == 77)
            y = 78;
    }
    if (x < y)
        reach_error();
    return 0;
}
