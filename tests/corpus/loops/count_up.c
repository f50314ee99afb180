// verdict: unreachable
// classic: unknown  # one path for each value of the bound
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int i = 0;
    while (i < n)
        i++;
    if (n >= 0 && i != n)
        reach_error();
    return 0;
}
