// check: memory
// The end of a text does not fit.
#include <string.h>
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char text[4];
    for (int i = 0; i < 4; i++) {
        text[i] = __VERIFIER_nondet_char();
    }
#ifdef FIXED
    text[3] = '\0';
#endif
    int n = 0;
    while (text[n] != '\0') // error: access out of bounds
        n++;
    return n;
}
