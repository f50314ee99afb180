// verdict: unreachable
// classic: unknown  # one path for each length
// The same without sign.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    unsigned n = __VERIFIER_nondet_int();
    if (n > 50000)
        return 0;
    unsigned long long sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += 4 * i + 2;
    if (sum != 2ULL * n * n)
        reach_error();
    return 0;
}
