// verdict: unreachable
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
extern char __VERIFIER_nondet_char(void);
void reach_error(void) {}

int main(void) {
    char text[] = "-922337203685477580?";
    text[19] = __VERIFIER_nondet_char();
    errno = 0;
    if (text[19] < '9' && strtoll(text, NULL, 10) == LLONG_MIN && errno == ERANGE)
        reach_error();
    return 0;
}
