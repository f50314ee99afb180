// verdict: unreachable
//
// One of two neighbours is even, also at the wrap-around.
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    if (x * (x + 1) % 2 == 1)
        reach_error();
    return 0;
}
