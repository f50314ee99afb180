// check: memory
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
#ifdef FIXED
    printf("%d\n", n);
#else
    printf("%s\n", n); // error: null pointer access
#endif
    return 0;
}
