// verdict: reachable
// inputs: 11, 6
// A counter is reset once, between two phases.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int m = __VERIFIER_nondet_int();
    int x = 0;
    if (m < 0)
        return 0;
    for (int i = 0; i < n; i++) {
        if (i == m)
            x = 0;
        else
            x++;
    }
    if (n > m && x == 4 && m == 6)
        reach_error();
    return 0;
}
