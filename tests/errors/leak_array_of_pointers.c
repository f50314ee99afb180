// check: leak
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int *rows[4];
    int wanted = __VERIFIER_nondet_int();
    for (int i = 0; i < 4; i++)
        rows[i] = calloc(3, sizeof **rows); // error: memory leak
    for (int i = 0; i < 4; i++) {
#ifndef FIXED
        if (i == 2 && wanted > 1000)
            continue;
#endif
        free(rows[i]);
    }
    return 0;
}
