// verdict: reachable
// inputs: 3700
// classic: unknown  # one path for each number of iterations
// It ends within that thousand.
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned a = 0;
    unsigned b = 0;
    if (n > 1000000)
        return 0;
    for (unsigned i = 0; i < n; i++) {
        if (i / 1000 == 3)
            a++;
        else
            b += 2;
    }
    if (a == 700 && b == 6000)
        reach_error();
    return 0;
}
