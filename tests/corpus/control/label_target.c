// verdict: reachable
// inputs: 7
// target: ERROR
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x * 3 == 21)
        goto ERROR;
    return 0;
ERROR:
    exit(86);
}
