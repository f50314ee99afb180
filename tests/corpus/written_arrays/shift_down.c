// verdict: unreachable
// work: 7 s
// Each iteration reads the cell that the next iteration writes: iterations do not interfere.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int a[100];

int main(void) {
    int k = __VERIFIER_nondet_int(), at = __VERIFIER_nondet_int();
    if (k < 0 || k >= 99 || at < 0 || at >= 100)
        return 0;
    a[at] = __VERIFIER_nondet_int();
    int next = a[k + 1];
    for (int i = 0; i < 99; i++)
        a[i] = a[i + 1] + 1;
    if (a[k] != next + 1)
        reach_error();
    return 0;
}
