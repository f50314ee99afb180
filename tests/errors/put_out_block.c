// check: memory
// More elements are written to a file than there are.
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int values[4] = {1, 2, 3, 4};
    unsigned n = __VERIFIER_nondet_int();
#ifdef FIXED
    if (n > 4)
        n = 4;
#else
    if (n > 5)
        n = 5;
#endif
    fwrite(values, sizeof *values, n, stdout); // error: access out of bounds
    return 0;
}
