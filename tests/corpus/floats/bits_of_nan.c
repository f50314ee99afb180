// verdict: unreachable
// The bits of a NaN that arithmetic makes are those of x86: an operand's, made quiet, else the
// negative quiet NaN.
#include <string.h>

extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned long bits_of(double value) {
    unsigned long bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double with_bits(unsigned long bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

int main(void) {
    unsigned long payload = 1ul + __VERIFIER_nondet_uchar();
    double infinity = with_bits(0x7ff0000000000000ul);
    double given = with_bits(0xfff0000000000000ul | payload << 29);
    double sum = 1.0 + given, invalid = infinity - infinity;
    float narrow = (float)given;
    if (bits_of(invalid) != 0xfff8000000000000ul)
        reach_error();
    if (bits_of(sum) != (bits_of(given) | 1ul << 51))
        reach_error();
    if (bits_of((double)narrow) != bits_of(sum))
        reach_error();
    return 0;
}
