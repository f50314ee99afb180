// check: cleanup
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int *table = calloc(10, sizeof *table); // error: memory not freed
    if (__VERIFIER_nondet_int() == 5) {
#ifdef FIXED
        free(table);
#endif
        exit(1);
    }
    free(table);
    return 0;
}
