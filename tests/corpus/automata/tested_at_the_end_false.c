// verdict: reachable
// inputs: 1000000, 1000123
// classic: unknown  # one path for each number of iterations
// work: 5 s
// A million iterations of the first phase, 123 of the other.
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned m = __VERIFIER_nondet_uint();
    unsigned i = 0;
    unsigned a = 0;
    unsigned b = 0;
    if (n < 1 || m < n)
        return 0;
    do {
        if (i < n)
            a++;
        else
            b += 2;
        i++;
    } while (i < m);
    if (a == 1000000 && b == 246)
        reach_error();
    return 0;
}
