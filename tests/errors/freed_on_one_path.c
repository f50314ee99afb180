// check: memory
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int *value = malloc(sizeof *value);
    int n = __VERIFIER_nondet_int();
    *value = 7;
    if (n == 12345) {
        free(value);
#ifdef FIXED
        return 1;
#endif
    }
    int result = *value; // error: access to freed memory
    free(value);
    return result;
}
