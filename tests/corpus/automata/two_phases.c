// verdict: unreachable
// classic: unknown  # one path for each value of the bound
// The first m iterations this, the others that.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int m = __VERIFIER_nondet_int();
    int x = 0;
    int y = 0;
    if (m < 0 || n < m)
        return 0;
    for (int i = 0; i < n; i++) {
        if (i < m)
            x++;
        else
            y++;
    }
    if (x != m || y != n - m)
        reach_error();
    return 0;
}
