// verdict: unreachable
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

int main(void) {
    unsigned char text[32];
    for (int i = 0; i < 32; i++)
        text[i] = i;
    unsigned n = __VERIFIER_nondet_uchar() % 29, k = __VERIFIER_nondet_uchar() % 32;
    memmove(text + 3, text, n);
    if (text[k] != (k >= 3 && k < 3 + n ? k - 3 : k))
        reach_error();
    return 0;
}
