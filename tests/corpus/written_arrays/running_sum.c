// verdict: reachable
// Each iteration reads the cell that the iteration before wrote.
// inputs: 3
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int a[8];

int main(void) {
    a[0] = __VERIFIER_nondet_int();
    for (int i = 1; i < 8; i++)
        a[i] = a[i - 1] + 1;
    if (a[7] == 10)
        reach_error();
    return 0;
}
