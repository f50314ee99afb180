// verdict: reachable
// inputs: 7
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
short a[50];

int main(void) {
    int k = __VERIFIER_nondet_int();
    for (int i = 1; i < 50; i += 2)
        a[i] = i;
    if (k < 0 || k >= 50)
        return 0;
    if (k % 2 == 0 && a[k] != 0)
        return 1;
    if (a[k] == 7)
        reach_error();
    return 0;
}
