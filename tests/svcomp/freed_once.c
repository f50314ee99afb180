#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int *cell = malloc(sizeof *cell);
    *cell = __VERIFIER_nondet_int();
    free(cell);
    return 0;
}
