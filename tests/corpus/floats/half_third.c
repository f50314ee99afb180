// verdict: reachable
// inputs: 13653  # the bits
//
// A third in half precision: three times that is rounded to one.
#include <string.h>

extern void reach_error(void);
extern unsigned short __VERIFIER_nondet_ushort(void);

int main(void) {
    unsigned short bits = __VERIFIER_nondet_ushort();
    _Float16 value;
    memcpy(&value, &bits, sizeof value);
    if (value > 0.3f16 && value < 0.5f16 && value * 3.0f16 == 1.0f16)
        reach_error();
    return 0;
}
