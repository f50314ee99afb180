// verdict: reachable
// inputs: 5, 4
// The border between the phases is what a loop before has counted.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int m = __VERIFIER_nondet_int();
    int border = 0;
    int x = 0;
    if (m < 0 || n < m)
        return 0;
    for (int i = 0; i < m; i++)
        border += 1;
    for (int i = 0; i < n; i++) {
        if (i < border)
            x += 2;
        else
            x -= 1;
    }
    if (x == 7 && n == 5)
        reach_error();
    return 0;
}
