// verdict: unreachable
// classic: unknown  # one path for each depth
// The address of a local is handed down, and each call adds to what it points at.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static void add(int n, int *sum) {
    if (n <= 0)
        return;
    *sum += 2;
    add(n - 1, sum);
}

int main(void) {
    int n = __VERIFIER_nondet_int(), sum = 0;
    if (n < 0 || n > 1000000)
        return 0;
    add(n, &sum);
    if (sum != 2 * n)
        reach_error();
    return 0;
}
