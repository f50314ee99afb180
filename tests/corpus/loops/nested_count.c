// verdict: reachable
// inputs: 3, 4
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
    if (n > 4 || m > 4)
        return 0;
    int count = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            count++;
    if (count == 12)
        reach_error();
    return 0;
}
