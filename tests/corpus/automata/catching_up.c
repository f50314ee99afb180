// verdict: unreachable
// classic: unknown  # one path for each value of the bounds
// Thesis, listing 4.10: x runs up to z, then both take turns.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int x = __VERIFIER_nondet_int();
    int z = __VERIFIER_nondet_int();
    int x0 = x;
    int z0 = z;
    unsigned steps = 0;
    if (x >= n || z >= n)
        return 0;
    while (x < n) {
        if (z > x)
            x++;
        else
            z++;
        steps++;
    }
    if (steps != (unsigned)n - (unsigned)x0 + (unsigned)n - (unsigned)z0)
        reach_error();
    return 0;
}
