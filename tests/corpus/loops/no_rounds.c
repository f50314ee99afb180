// verdict: unreachable
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int rounds = 0;
    for (int i = n; i < n; i++)
        rounds++;
    if (rounds != 0)
        reach_error();
    return 0;
}
