// verdict: unreachable
// classic: unknown  # one path for each length
// A short counts beside, and does not wrap around either.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 5000)
        return 0;
    short even = 0;
    long sum = 0;
    for (int i = 0; i < n; i++) {
        sum += even;
        even += 2;
    }
    if (sum != (long)n * (n - 1))
        reach_error();
    return 0;
}
