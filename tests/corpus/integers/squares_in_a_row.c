// verdict: unreachable
//
// x to the power of 2^40: 0 if x is even, else 1.
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    for (int i = 0; i < 40; i++)
        x = x * x;
    if (x == 3)
        reach_error();
    return 0;
}
