// verdict: reachable
// inputs: 9, 8
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
    int i = 0, j = 0;
    while (i < n)
        i += 2;
    while (j < m)
        j += 3;
    if (i == 10 && j == 9 && n + m == 17)
        reach_error();
    return 0;
}
