// check: assert
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int values[4] = {2, 3, 5, 7}, wanted = __VERIFIER_nondet_int(), i = 0;
    while (i < 4 && values[i] < wanted)
        i++;
#ifdef FIXED
    assert(i == 4 || values[i] >= wanted);
#else
    assert(i == 4 || values[i] == wanted); // error: an assertion fails
#endif
    return i;
}
