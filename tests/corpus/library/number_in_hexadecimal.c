// verdict: reachable
// inputs: 48, 120, 98, 101
#include <stdlib.h>
extern char __VERIFIER_nondet_char(void);
void reach_error(void) {}

int main(void) {
    char text[5], *end = 0;
    for (int i = 0; i < 4; i++)
        text[i] = __VERIFIER_nondet_char();
    text[4] = '\0';
    if (strtol(text, &end, 0) == 0xbe && *end == '\0')
        reach_error();
    return 0;
}
