// verdict: reachable
#include "compact_se.h"
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

int main(void) {
    char text[8] = "-------";
    unsigned char n = __VERIFIER_nondet_uchar();
    if (n > 6)
        return 0;
    compact_se_make_symbolic(text + 1, n, "part");
    if (text[0] == '-' && text[3] == 'x' && text[4] == 'y' && text[5] == '-' && text[6] == '-')
        reach_error();
    return 0;
}
