// verdict: reachable
// inputs: -3
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 1000)
        return 0;
    char *block = malloc((size_t)n);
    if (block == NULL && n % 7 == -3)
        reach_error();
    return 0;
}
