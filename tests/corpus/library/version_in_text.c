// verdict: reachable
// inputs: 52, 46, 55
#include <stdio.h>
extern char __VERIFIER_nondet_char(void);
void reach_error(void) {}

int main(void) {
    char text[4] = {0};
    unsigned major = 0, minor = 0;
    for (int i = 0; i < 3; i++)
        text[i] = __VERIFIER_nondet_char();
    if (sscanf(text, "%u.%u", &major, &minor) == 2 && major == 4 && minor == 7)
        reach_error();
    return 0;
}
