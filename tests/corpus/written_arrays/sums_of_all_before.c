// verdict: unreachable
// classic: unknown  # one path for each length
// Each cell gets what is before it added.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int(), at = __VERIFIER_nondet_int();
    if (n <= 0 || n > 1000000 || at < 0 || at >= n)
        return 0;
    int *a = malloc(n * sizeof(int));
    for (int i = 0; i < n; i++)
        a[i] = 2;
    for (int i = 1; i < n; i++)
        a[i] += a[i - 1];
    if (a[at] != 2 * at + 2)
        reach_error();
    return 0;
}
