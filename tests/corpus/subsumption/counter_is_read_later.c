// verdict: reachable
// inputs: 5, 0, 0, 0, 0, 0
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static int mode;

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned i;
    for (i = 0; i < n; i++)
        mode = __VERIFIER_nondet_int() != 0;
    // The number of iterations matters, not only how many are left.
    if (i == 5 && mode == 0)
        reach_error();
    return 0;
}
