// verdict: reachable
// inputs: 9, 3, 7
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
    if (x == 3 && y == 8 && z == 6)
        reach_error();
    return 0;
}
