// verdict: unreachable
// classic: unknown  # one path for each value of the bound
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int a[1000], b[1000];

int main(void) {
    int n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = i + 3;
    for (int i = 0; i < n; i++)
        b[i] = a[i];
    if (k < 0 || k >= n)
        return 0;
    if (b[k] != k + 3)
        reach_error();
    return 0;
}
