// verdict: reachable
// inputs: -42
#include <stdio.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    char text[16];
    int length = snprintf(text, sizeof text, "<%d>", __VERIFIER_nondet_int());
    if (length == 5 && strcmp(text, "<-42>") == 0)
        reach_error();
    return 0;
}
