// verdict: reachable
// inputs: unchecked  # the value comes from memory that was never written
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0)
        return 0;
    unsigned char *text = malloc((size_t)n);
    if (text == NULL)
        return 0;
    int i = 0;
    while (i < n && text[i] == ' ')
        i++;
    if (i > 10 && i < n && text[i] == '#')
        reach_error();
    return 0;
}
