// verdict: reachable
// inputs: 8, 0
// Two writes an iteration that come towards each other and go on: it is not the first that wins.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int(), at = __VERIFIER_nondet_int();
    if (n <= 0 || n > 1000000 || at < 0 || at >= n)
        return 0;
    int *a = malloc(n * sizeof(int)), *b = malloc((n + 1) * sizeof(int));
    for (int i = 0; i < n; i++) {
        a[i] = i;
        a[n - 1 - i] = 2 * i;
    }
    if (a[at] > at && n > 7)
        reach_error();
    for (int i = 0; i < n; i++) {
        b[i] = i + 2;
        b[i + 1] = i + 4;
    }
    if (b[at] != at + 2 || b[n] != n + 3)
        reach_error();
    return 0;
}
