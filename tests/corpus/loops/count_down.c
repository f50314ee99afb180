// verdict: unreachable
// classic: unknown  # one path for each value of the bound
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    while (n > 0)
        n--;
    if (n > 0)
        reach_error();
    return 0;
}
