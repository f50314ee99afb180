// verdict: unreachable
//
// The last value read is dead behind the loop, but the loop after it computes with it once more
// before it is overwritten.
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

int main(void) {
    unsigned char n = __VERIFIER_nondet_uchar();
    unsigned char last = 0, sum = 0, i = 0;
    while (i != n) {
        last = __VERIFIER_nondet_uchar();
        i++;
    }
    for (unsigned char j = 0; j < 2; j++) {
        sum = sum + last;
        sum = j;
    }
    if (sum != 1)
        reach_error();
    return 0;
}
