// verdict: unreachable
// classic: unknown  # one path for each length
// Two sums are compared, one of numbers that are negative first.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 5000)
        return 0;
    long sum = 0, counters = 0;
    for (int i = 0; i < n; i++) {
        sum += 3 * i - 7;
        counters += i;
    }
    if (sum != 3 * counters - 7 * n)
        reach_error();
    return 0;
}
