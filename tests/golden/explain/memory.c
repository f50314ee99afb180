extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int a[8] = {1, 1}, b[8];
    if (n < 0 || n > 6)
        return 0;
    for (int i = 0; i < n; i++)
        b[i] = 3;
    for (int i = 0; i < n; i++)
        a[i + 2] = a[i + 1] + a[i];
    if (n > 1 && b[1] + a[3] == 0)
        reach_error();
    return 0;
}
