// verdict: reachable
// inputs: 6
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int taken = 0;
    for (int i = 0; i < n; i++)
        if (i < 3)
            taken++;
        else
            taken += 2;
    if (taken == 9)
        reach_error();
    return 0;
}
