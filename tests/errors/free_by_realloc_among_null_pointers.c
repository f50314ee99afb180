// check: memory
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    char *slots[2] = {malloc(4), 0};
    int chosen = __VERIFIER_nondet_int();
    if (chosen < 0 || chosen > 1)
        return 0;
    slots[chosen] = realloc(slots[chosen], 8);
    if (chosen == 1)
        free(slots[1]);
#ifndef FIXED
    if (chosen == 1)
#endif
        slots[1] = 0;
    free(slots[0]);
#ifndef FIXED
    slots[chosen] = 0;
    free(slots[0]); // error: double free
#endif
    return 0;
}
