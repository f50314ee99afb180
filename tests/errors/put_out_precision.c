// check: memory
// A precision says how much of a text is put out that has no end.
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    char letters[3] = {'a', 'b', 'c'};
    int n = __VERIFIER_nondet_int();
#ifdef FIXED
    if (n < 0 || n > 3)
        return 1;
#else
    if (n < 0 || n > 4)
        return 1;
#endif
    fprintf(stderr, "%5u %-8.*s|%c\n", 7u, n, letters, 'x'); // error: access out of bounds
    return 0;
}
