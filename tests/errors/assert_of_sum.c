// check: assert
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0, sum = 0;
#ifdef FIXED
    if (n < 0)
        return 1;
#endif
    while (i < n) {
        i++;
        sum += 2;
    }
    assert(sum == 2 * n); // error: an assertion fails
    return 0;
}
