// verdict: unreachable
//
// Both operands are promoted to int before the addition, which cannot wrap around.
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

int main(void) {
    unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
    if (a + b > 510 || a + b < a)
        reach_error();
    return 0;
}
