// check: memory
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static char text[4];

int main(void) {
#ifdef FIXED
    char *slots[3] = {malloc(4), 0, 0};
#else
    char *slots[3] = {malloc(4), 0, text};
#endif
    int chosen = __VERIFIER_nondet_int();
    if (chosen < 0 || chosen > 2)
        return 0;
    free(slots[chosen]); // error: free of memory that is not from malloc
    return 0;
}
