// verdict: unreachable
// classic: unknown  # a path for each depth
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static int filled[1000];

static void fill(int n) {
    if (n <= 0)
        return;
    fill(n - 1);
    filled[n - 1] = 2 * n;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int i = __VERIFIER_nondet_int();
    if (n > 1000 || i < 0 || i >= n)
        return 0;
    fill(n);
    if (filled[i] != 2 * i + 2)
        reach_error();
    return 0;
}
