// check: leak
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int *cache;

static void fill(int n) {
#ifdef FIXED
    free(cache);
#endif
    cache = malloc(sizeof *cache); // error: memory leak
    *cache = n;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    fill(n);
    if (n > 100)
        fill(n / 2);
    // What a global still points to is no leak.
    return 0;
}
