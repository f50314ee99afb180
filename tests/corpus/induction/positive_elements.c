// verdict: unreachable
// induction: proved
// compact: unknown  # where an element goes depends on those before
// classic: unknown  # up to 1,000 iterations
// What is moved to the front of another array is positive.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int a[1000], b[1000], n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int(), m = 0;
    if (n < 1 || n > 1000 || k < 0 || k >= n)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
        if (a[i] > 0)
            b[m++] = a[i];
    if (k < m && b[k] <= 0)
        reach_error();
    return 0;
}
