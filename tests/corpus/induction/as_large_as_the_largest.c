// verdict: reachable
// inputs: 1, 0, 5
// One element may be as large as the largest.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int a[1000], n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000 || k < 0 || k >= n)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    int most = a[0];
    for (int i = 1; i < n; i++)
        if (a[i] > most)
            most = a[i];
    if (a[k] >= most)
        reach_error();
    return 0;
}
