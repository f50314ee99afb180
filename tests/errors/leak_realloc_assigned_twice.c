// check: leak
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    char *text = malloc(4);
    text[0] = 'a';
    if (n > 3) {
        char *longer = realloc(text, 9); // error: memory leak
        longer[8] = 0;
#ifdef FIXED
        text = longer;
#else
        text = 0;
#endif
    }
    free(text);
    return 0;
}
