// verdict: unreachable
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

int main(void) {
    unsigned n = 4 + __VERIFIER_nondet_uchar() % 8, more = 2 + __VERIFIER_nondet_uchar() % 16;
    unsigned char *text = malloc(n);
    text[1] = 11;
    text[3] = 33;
    text = realloc(text, more);
    if (text[1] != 11 || (more > 3 && text[3] != 33))
        reach_error();
    free(text);
    return 0;
}
