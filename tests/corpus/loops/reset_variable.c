// verdict: unreachable
// classic: unknown  # one path for each value of the bound
//
// The variable has a closed form although it does not depend on its own value.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int last = -1;
    for (int i = 0; i < n; i++)
        last = 2 * i;
    if (n > 0 && n < 1000000 && last != 2 * (n - 1))
        reach_error();
    return 0;
}
