#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int *cell = malloc(sizeof *cell);
    *cell = __VERIFIER_nondet_int();
    int value = *cell;
    free(cell);
    if (value == 7)
        free(cell);
    return 0;
}
