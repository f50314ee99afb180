// verdict: unreachable
// classic: unknown  # one path for each number of iterations
// Multiples of a counter, counted: remainders have a period, since it does not wrap around.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int a = 0;
    int b = 0;
    if (n < 0 || n > 1000000)
        return 0;
    for (int i = 0; i < n; i++) {
        if (i % 3 == 0)
            a++;
        else if (i % 3 == 1)
            b += 2;
    }
    if (a < b / 2 || a > b / 2 + 1)
        reach_error();
    return 0;
}
