// verdict: unreachable
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

static unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 7)
        return 0;
    if (fibonacci(n) > 13)
        reach_error();
    return 0;
}
