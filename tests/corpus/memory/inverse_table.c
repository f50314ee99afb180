// verdict: unreachable
// A table that is filled as the program runs: what each character of an alphabet stands for.
#include <string.h>
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

int main(void) {
    unsigned char value[256];
    memset(value, 255, sizeof value);
    for (int i = 0; i < 64; i++)
        value[(unsigned char)digits[i]] = i;
    unsigned char x = __VERIFIER_nondet_uchar();
    if (value[(unsigned char)digits[x & 63]] != (x & 63))
        reach_error();
    if (value[x] != 255 && x != (unsigned char)digits[value[x]])
        reach_error();
    return 0;
}
