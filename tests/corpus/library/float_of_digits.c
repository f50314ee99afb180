// verdict: reachable
// inputs: 52, 50
#include <stdlib.h>
extern char __VERIFIER_nondet_char(void);
void reach_error(void) {}

int main(void) {
    char text[] = "1??.";
    text[1] = __VERIFIER_nondet_char();
    text[2] = __VERIFIER_nondet_char();
    if (strtod(text, NULL) == 142.0)
        reach_error();
    return 0;
}
