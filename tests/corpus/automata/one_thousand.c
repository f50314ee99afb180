// verdict: unreachable
// classic: unknown  # one path for each number of iterations
// One thousand of the numbers of a counter: a quotient, which is in between two borders.
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
    if (a > 1000 || (n >= 4000 && a + b / 2 != n))
        reach_error();
    return 0;
}
