// verdict: reachable
// inputs: 2
#include <stdint.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int left = 5, right = 7;
    unsigned tag = __VERIFIER_nondet_int() & 3;
    uintptr_t tagged = (uintptr_t)(tag == 2 ? &left : &right) | tag;
    int *pointer = (int *)(tagged & ~(uintptr_t)3);
    if (*pointer == 5 && (tagged & 3) == 2)
        reach_error();
    return 0;
}
