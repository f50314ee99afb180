// verdict: reachable
// inputs: 2, 5, 3
// induction: no
// The outer loop begins one element too late.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int a[1000], n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    for (int j = 2; j < n; j++) {
        int key = a[j], i = j - 1;
        while (i >= 0 && a[i] > key) {
            a[i + 1] = a[i];
            i--;
        }
        a[i + 1] = key;
    }
    for (int k = 1; k < n; k++)
        if (a[k - 1] > a[k])
            reach_error();
    return 0;
}
