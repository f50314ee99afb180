// verdict: reachable
// inputs: 7
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static int sum_to(int n) { return n <= 0 ? 0 : n + sum_to(n - 1); }

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 10)
        return 0;
    if (sum_to(n) == 28)
        reach_error();
    return 0;
}
