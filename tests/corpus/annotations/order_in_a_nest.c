// verdict: unreachable
// annotations: decided
// classic: unknown  # one path for each number of iterations
// compact: unknown  # the nest has no template
// Thesis, listing 4.5, where nothing wraps around: the inner loop's annotation hangs on that of the outer.
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
            y = 70;
    }
    if (x < y)
        reach_error();
    return 0;
}
