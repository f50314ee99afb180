// verdict: unreachable
// classic: unknown  # one path for each value of the bound
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0)
        return 0;
    int i = 0, j = n;
    while (i < j) {
        i++;
        j--;
    }
    if (i - j > 1 || i + j != n)
        reach_error();
    return 0;
}
