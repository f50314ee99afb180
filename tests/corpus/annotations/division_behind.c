// verdict: unreachable
// annotations: decided
// Thesis, listing 5.7: the division needs i != 0, and what is behind it x >= y.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int x = __VERIFIER_nondet_int(), i = __VERIFIER_nondet_int(), y = x;
    if (i == 0)
        i = 1;
    i = 1 / i;
    if (x < y)
        reach_error();
    return i;
}
