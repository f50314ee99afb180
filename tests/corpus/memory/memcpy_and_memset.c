// verdict: unreachable
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

int main(void) {
    unsigned char from[8], to[8];
    memset(from, 0x5a, sizeof from);
    memset(to, 0, sizeof to);
    from[3] = __VERIFIER_nondet_uchar();
    memcpy(to + 2, from + 2, 4);
    if (to[1] != 0 || to[2] != 0x5a || to[3] != from[3] || to[5] != 0x5a || to[6] != 0)
        reach_error();
    return 0;
}
