// verdict: unreachable
// induction: proved
// compact: unknown  # the iterations read what earlier iterations wrote
// classic: unknown  # one path for each order of the elements
// The elements before i are in order, and none behind is smaller than the last of them.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int a[1000], n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        int least = i;
        for (int j = i + 1; j < n; j++)
            if (a[j] < a[least])
                least = j;
        int first = a[i];
        a[i] = a[least];
        a[least] = first;
    }
    for (int k = 1; k < n; k++)
        if (a[k - 1] > a[k])
            reach_error();
    return 0;
}
