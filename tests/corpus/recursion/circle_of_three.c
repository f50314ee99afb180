// verdict: unreachable
// classic: unknown  # a path for each depth
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

static unsigned one(unsigned n);
static unsigned two(unsigned n);
static unsigned zero(unsigned n) { return n == 0 ? 0 : one(n - 1); }
static unsigned one(unsigned n) { return n == 0 ? 1 : two(n - 1); }
static unsigned two(unsigned n) { return n == 0 ? 2 : zero(n - 1); }

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (zero(n) > 2)
        reach_error();
    return 0;
}
