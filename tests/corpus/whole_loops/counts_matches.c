// verdict: reachable
// inputs: unchecked  # what malloc gives is not read by the hook
// classic: unknown  # 2^13 ways at least
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000)
        return 0;
    unsigned char *bytes = malloc((unsigned long)n);
    int matches = 0;
    for (int i = 0; i < n; i++)
        if (bytes[i] == 7)
            matches++;
    if (matches == 13)
        reach_error();
    return 0;
}
