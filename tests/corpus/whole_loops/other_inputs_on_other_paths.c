// verdict: reachable
// inputs: 3, 1, 5, 0, 1, 6
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int sum = 0;
    for (int i = 0; i < n; i++)
        if (__VERIFIER_nondet_int())
            sum += __VERIFIER_nondet_int();
    if (n == 3 && sum == 11)
        reach_error();
    return 0;
}
