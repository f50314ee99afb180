// verdict: unreachable
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static void leave(int x) {
    if (x == 7)
        exit(3);
    if (x > 7)
        abort();
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    leave(x);
    if (x >= 7)
        reach_error();
    return 0;
}
