// verdict: reachable
// inputs: 120
#include <string.h>
extern char __VERIFIER_nondet_char(void);
void reach_error(void) {}

int main(void) {
    char text[8] = "abcdef";
    text[0] = __VERIFIER_nondet_char();
    memmove(text + 2, text, 4);
    if (text[2] == 'x' && text[3] == 'b' && text[5] == 'd' && text[1] == 'b' && text[6] == 0)
        reach_error();
    return 0;
}
