// verdict: unreachable
// induction: proved
// compact: unknown  # the iterations read what the program does not know
// classic: unknown  # one path for each number of elements
// What the first loop has looked at is in order, and nothing changes it.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int a[1000], n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    for (int k = 1; k < n; k++)
        if (a[k - 1] > a[k])
            return 0;
    for (int k = 1; k < n; k++)
        if (a[k - 1] > a[k])
            reach_error();
    return 0;
}
