// verdict: unreachable
// induction: proved
// classic: unknown  # one path for each number of iterations
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int step = __VERIFIER_nondet_int();
    int x = __VERIFIER_nondet_int();
    if (step <= 0)
        return 0;
    while (x < 100)
        x += step;
    if (x < 100)
        reach_error();
    return 0;
}
