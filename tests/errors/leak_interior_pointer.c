// check: leak
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static char *rest;

int main(void) {
    char *text = malloc(8); // error: memory leak
    text[0] = 'k', text[1] = 0;
    rest = text + 1;
    if (__VERIFIER_nondet_int() == 8) {
#ifdef FIXED
        // A pointer into a block holds it.
        rest++;
#else
        rest = "";
#endif
    }
    return 0;
}
