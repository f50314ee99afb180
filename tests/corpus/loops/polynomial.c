// verdict: reachable
// inputs: 10
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 12)
        return 0;
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += i;
    if (sum == 45)
        reach_error();
    return 0;
}
