// verdict: reachable
// inputs: 3083, 1233
// classic: unknown  # one path for each number of iterations
// work: 4 s
// Multiples of a counter that starts anywhere: 617 of 1850 iterations.
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned s = __VERIFIER_nondet_uint();
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    if (n > 1000000 || s > n)
        return 0;
    for (unsigned i = s; i < n; i++) {
        if (i % 3 == 0)
            a++;
        else if (i % 3 == 1)
            b++;
        else
            c++;
    }
    if (a == 617 && b == 617 && c == 616)
        reach_error();
    return 0;
}
