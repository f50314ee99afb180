// verdict: unreachable
// classic: unknown  # one path for each length
// The first iteration adds something else.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n <= 0 || n > 100000)
        return 0;
    long long sum = 0;
    for (int i = 0; i < n; i++)
        sum += i == 0 ? 7 : 2 * i;
    if (sum != 7 + (long long)n * (n - 1))
        reach_error();
    return 0;
}
