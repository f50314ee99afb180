// verdict: reachable
// inputs: 1
//
// i passes 255 twice before it meets n: 171 * 3 = 2 * 256 + 1.
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

int main(void) {
    unsigned char n = __VERIFIER_nondet_uchar();
    unsigned char i = 0, iterations = 0;
    while (i != n) {
        i += 3;
        iterations++;
    }
    if (n == 1 && iterations == 171)
        reach_error();
    return 0;
}
