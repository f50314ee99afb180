// verdict: unreachable
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int iterations = 0;
    for (int i = n; i < n; i++)
        iterations++;
    if (iterations != 0)
        reach_error();
    return 0;
}
