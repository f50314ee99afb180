// verdict: reachable
// inputs: 77
// Secrets are wiped by a pointer that the compiler cannot see through; natively the body of memset
// is not to call itself.
#include <string.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static void *(*const volatile wipe)(void *, int, size_t) = memset;
static void *(*const volatile copy)(void *, const void *, size_t) = memcpy;

int main(void) {
    int secret[4] = {1, 2, 3, 4}, copied[4];
    secret[2] = __VERIFIER_nondet_int();
    copy(copied, secret, sizeof secret);
    wipe(secret, 0, sizeof secret);
    if (copied[2] == 77 && secret[0] + secret[1] + secret[2] + secret[3] == 0)
        reach_error();
    return 0;
}
