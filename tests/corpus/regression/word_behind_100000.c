// verdict: reachable
// inputs: unchecked  # a block of more than 100000 bytes
// classic: unknown  # 100000 iterations
// The witness is a long text that is zero but for a few bytes; that no iteration before the last finds
// the word is confirmed without looking at each.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0)
        return 0;
    char *text = malloc((size_t)n);
    int i = 0;
    while (i < n && text[i] != 'x')
        i++;
    if (i < n && i >= 100000)
        reach_error();
    return 0;
}
