// verdict: unreachable
#include <stdio.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

int main(void) {
    char text[4] = "####";
    int length = snprintf(text, 3, "%02x%s", __VERIFIER_nondet_uchar(), "word");
    if (length != 6 || text[2] != '\0' || text[3] != '#' || text[0] == '\0')
        reach_error();
    return 0;
}
