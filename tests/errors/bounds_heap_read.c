// check: memory
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 50)
        return 1;
    int *values = calloc((size_t)n, sizeof *values);
#ifdef FIXED
    int last = values[n - 1];
#else
    int last = values[n]; // error: access out of bounds
#endif
    free(values);
    return last;
}
