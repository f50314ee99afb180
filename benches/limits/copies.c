// Copies between byte arrays at offsets that nobody knows, each over what the ones before wrote.
#include <string.h>

unsigned __VERIFIER_nondet_uint(void);
unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

static unsigned char a[65536], b[65536];

int main(void) {
    for (int i = 0; i < 64; i++)
        a[i * 1000] = __VERIFIER_nondet_uchar();
    for (int n = 0; n < 40; n++) {
        unsigned from = __VERIFIER_nondet_uint() % 30000;
        unsigned to = __VERIFIER_nondet_uint() % 30000;
        memcpy(b + to, a + from, 4096);
        memmove(a + from, b + to / 2, 4096);
    }
    unsigned sum = 0;
    for (int i = 0; i < 65536; i++)
        sum = sum * 31 + a[i];
    if (sum == 77)
        reach_error();
    return 0;
}
