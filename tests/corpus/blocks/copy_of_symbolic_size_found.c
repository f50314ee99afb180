// verdict: reachable
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

int main(void) {
    char from[8] = "abcdefg", to[8] = "-------";
    unsigned char n = __VERIFIER_nondet_uchar();
    if (n >= sizeof to)
        return 0;
    memcpy(to, from, n);
    if (to[4] == 'e' && to[5] == '-')
        reach_error();
    return 0;
}
