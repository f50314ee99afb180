// verdict: unreachable
// classic: unknown  # one path for each length
// The first cell is written apart from the others.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n <= 0 || n > 100000)
        return 0;
    int *a = malloc(sizeof(int) * n);
    a[0] = 7;
    for (int i = 1; i < n; i++)
        a[i] = 2 * i;
    long long sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i];
    if (sum != 7 + (long long)n * (n - 1))
        reach_error();
    return 0;
}
