// verdict: reachable
// inputs: 129
// Bytes wrap around behind 128 iterations.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 200)
        return 0;
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum += (unsigned char)(2 * i + 1);
    if (n >= 128 && sum != (long)n * n)
        reach_error();
    return 0;
}
