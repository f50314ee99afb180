// verdict: unreachable
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

int main(void) {
    unsigned char from[16], to[16];
    for (int i = 0; i < 16; i++) {
        from[i] = 16 + i;
        to[i] = i;
    }
    unsigned n = __VERIFIER_nondet_uchar() % 13, k = __VERIFIER_nondet_uchar() % 16;
    memcpy(to + 2, from + 3, n);
    unsigned char expected = k >= 2 && k - 2 < n ? 17 + k : k;
    if (to[k] != expected)
        reach_error();
    return 0;
}
