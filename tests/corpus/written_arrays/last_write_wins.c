// verdict: unreachable
// Two writes an iteration at different strides; they meet in cell 0 only, in one iteration.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
char a[64];

int main(void) {
    unsigned k = __VERIFIER_nondet_int();
    for (int i = 0; i < 20; i++) {
        a[i] = 1;
        a[i + 32] = 2;
    }
    if (k >= 64)
        return 0;
    if (k < 20 && a[k] != 1)
        reach_error();
    if (k >= 32 && k < 52 && a[k] != 2)
        reach_error();
    if (k >= 52 && a[k] != 0)
        reach_error();
    return 0;
}
