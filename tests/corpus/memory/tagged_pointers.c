// verdict: unreachable
// Tags in the low bits of addresses come off again.
#include <stdint.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int left = 5, right = 7;
    unsigned tag = __VERIFIER_nondet_int() & 3;
    uintptr_t tagged = (uintptr_t)(tag == 2 ? &left : &right) | tag;
    int *pointer = (int *)(tagged & ~(uintptr_t)3);
    if (*pointer != ((tagged & 3) == 2 ? 5 : 7))
        reach_error();
    return 0;
}
