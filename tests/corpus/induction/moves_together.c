// verdict: unreachable
// induction: proved
// classic: unknown  # one path for each number of iterations
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int start = __VERIFIER_nondet_int();
    int x = start, y = 5;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            x += 3;
            y += 3;
        } else {
            y--;
            x--;
        }
    }
    if (x - start != y - 5)
        reach_error();
    return 0;
}
