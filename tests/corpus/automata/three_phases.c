// verdict: unreachable
// classic: unknown  # one path for each value of the bounds
// Three phases with symbolic borders.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    int x = 0;
    int y = 0;
    int z = 0;
    if (a < 0 || b < a || n < b)
        return 0;
    for (int i = 0; i < n; i++) {
        if (i < a)
            x++;
        else if (i < b)
            y += 2;
        else
            z += 3;
    }
    if (x + y + z != a + 2 * (b - a) + 3 * (n - b))
        reach_error();
    return 0;
}
