// verdict: reachable
// inputs: 5, 20
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int(), step = __VERIFIER_nondet_int();
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += step;
    if (sum == 100 && step == 20)
        reach_error();
    return 0;
}
