// verdict: unreachable
//
// A product over the frames has no closed form: frame by frame.
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

static unsigned product(unsigned n, unsigned x) { return n == 0 ? 1 : x * product(n - 1, x); }

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n < 4 && product(n, 3) > 27)
        reach_error();
    return 0;
}
