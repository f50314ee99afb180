// verdict: unreachable
// classic: unknown  # one path for each length
// What is added starts at an input.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int(), start = __VERIFIER_nondet_int();
    if (n < 0 || n > 5000 || start < 0 || start > 100)
        return 0;
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum += start + 2 * i;
    if (sum != (long)n * (n - 1) + (long)start * n)
        reach_error();
    return 0;
}
