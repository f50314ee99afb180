// verdict: unreachable
// classic: unknown  # one path for each length
// work: 20 s
// Sums of what an earlier loop has made from the element before: squares.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n <= 0 || n > 10000000)
        return 0;
    long *odd = malloc(n * sizeof(long)), *sum = malloc(n * sizeof(long));
    odd[0] = 1;
    sum[0] = 1;
    for (int i = 1; i < n; i++)
        odd[i] = odd[i - 1] + 2;
    for (int i = 1; i < n; i++)
        sum[i] = sum[i - 1] + odd[i];
    for (int i = 0; i < n; i++)
        if (sum[i] != (i + 1L) * (i + 1L))
            reach_error();
    return 0;
}
