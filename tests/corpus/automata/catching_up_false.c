// verdict: reachable
// inputs: 5, 4, 9
// Thesis, listing 4.10: x runs up to z, then both take turns.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int x = __VERIFIER_nondet_int();
    int z = __VERIFIER_nondet_int();
    if (x >= n)
        return 0;
    while (x < n) {
        if (z > x)
            x++;
        else
            z++;
    }
    if (x != n || z != n)
        reach_error();
    return 0;
}
