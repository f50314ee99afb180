// check: memory
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    char *buffer = malloc(16);
    int failed = __VERIFIER_nondet_int();
    if (failed < 0) {
        free(buffer);
#ifdef FIXED
        return 1;
#endif
    }
    free(buffer); // error: double free
    return 0;
}
