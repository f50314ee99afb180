// verdict: unreachable
// classic: unknown  # one path for each number of elements
// An array is added up from the first element to the last, and taken back from the last to the first.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[1000];
    int n = __VERIFIER_nondet_int();
    long sum = 0;
    if (n < 1 || n > 1000)
        return 0;
    for (int i = 0; i < n; i++)
        sum += a[i];
    for (int i = n - 1; i >= 0; i--)
        sum -= a[i];
    if (sum != 0)
        reach_error();
    return 0;
}
