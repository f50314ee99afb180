// verdict: unreachable
// classic: unknown  # one path for each value of the bound
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int a[1000];

int main(void) {
    int n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = 2 * i + 1;
    if (k < 0 || k >= n)
        return 0;
    if (a[k] != 2 * k + 1)
        reach_error();
    return 0;
}
