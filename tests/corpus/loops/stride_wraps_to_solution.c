// verdict: reachable
// inputs: 44
//
// No multiple of 6 is 8 in the integers; modulo 256, 44 * 6 is.
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

int main(void) {
    unsigned char n = __VERIFIER_nondet_uchar();
    unsigned char s = 0;
    for (unsigned char i = 0; i < n; i++)
        s += 6;
    if (s == 8)
        reach_error();
    return 0;
}
