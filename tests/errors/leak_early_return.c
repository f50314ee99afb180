// check: leak
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static int parse(int kind) {
    char *buffer = malloc(16); // error: memory leak
    buffer[0] = (char)kind;
    if (kind == 4711) {
#ifdef FIXED
        free(buffer);
#endif
        return -1;
    }
    free(buffer);
    return 0;
}

int main(void) { return parse(__VERIFIER_nondet_int()) < 0; }
