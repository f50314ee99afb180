// verdict: unreachable
#include <string.h>
extern char __VERIFIER_nondet_char(void);
void reach_error(void) {}

int main(void) {
    char a[3], b[3];
    for (int i = 0; i < 2; i++) {
        a[i] = __VERIFIER_nondet_char();
        b[i] = __VERIFIER_nondet_char();
    }
    a[2] = b[2] = 0;
    int forth = strcmp(a, b), back = strcmp(b, a);
    if ((forth > 0 && back >= 0) || (forth == 0 && back != 0))
        reach_error();
    return 0;
}
