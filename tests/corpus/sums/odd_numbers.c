// verdict: unreachable
// classic: unknown  # one path for each length
// Numbers of 32 bits add up to one of 64: none wraps around, because there are few.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n <= 0 || n > 100000)
        return 0;
    long long sum = 0;
    for (int i = 0; i < n; i++)
        sum += 2 * i + 1;
    if (sum != (long long)n * n)
        reach_error();
    return 0;
}
