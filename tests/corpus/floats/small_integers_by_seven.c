// verdict: reachable
// inputs: 11
// The lowest byte of a quotient: the values of the input are tried.
#include <stdint.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n >= 1024)
        return 0;
    double quotient = (double)n / 7;
    uint64_t bits;
    memcpy(&bits, &quotient, 8);
    if ((bits & 0xff) == 0x49)
        reach_error();
    return 0;
}
