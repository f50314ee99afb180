// verdict: unreachable
//
// A bit that is shifted by less than the width stays a single bit.
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned amount = __VERIFIER_nondet_uint() & 31;
    unsigned bit = 1u << amount;
    if (bit == 0 || (bit & (bit - 1)) != 0 || bit >> amount != 1)
        reach_error();
    return 0;
}
