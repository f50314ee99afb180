// verdict: reachable
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

int main(void) {
    int words[4] = {1, 2, 3, 4};
    unsigned char n = __VERIFIER_nondet_uchar();
    if (n > sizeof words)
        return 0;
    memset(words, 0x11, n);
    if (words[2] == 0x1111)
        reach_error();
    return 0;
}
