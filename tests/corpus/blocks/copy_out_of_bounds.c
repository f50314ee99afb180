// verdict: unknown
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

int main(void) {
    char from[8] = "abcdefg", to[4];
    memcpy(to, from, __VERIFIER_nondet_uchar() & 7);
    return to[0];
}
