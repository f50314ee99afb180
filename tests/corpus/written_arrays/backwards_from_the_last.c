// verdict: unreachable
// classic: unknown  # one path for each length
// A loop that goes down, and one whose cells alternate.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int(), at = __VERIFIER_nondet_int();
    if (n <= 0 || n > 1000000 || at < 0 || at >= n)
        return 0;
    int *a = malloc(n * sizeof(int)), *b = malloc(n * sizeof(int));
    a[n - 1] = 5;
    for (int i = n - 2; i >= 0; i--)
        a[i] = a[i + 1] - 1;
    b[0] = 1;
    for (int i = 1; i < n; i++)
        b[i] = 4 - b[i - 1];
    if (a[at] != 6 - n + at)
        reach_error();
    if (b[at] != (at % 2 ? 3 : 1))
        reach_error();
    return 0;
}
