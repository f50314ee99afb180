// verdict: unreachable
// classic: unknown  # one path for each length
// The cells from the second on were all written, because there are two at least; n - 1 of them are added.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n <= 0 || n > 1000000)
        return 0;
    int *a = malloc(n * sizeof(int)), *sum = malloc(sizeof(int));
    for (int i = 0; i < n; i++)
        a[i] = 2;
    for (int i = 0; i < n; i++) {
        if (i == 0)
            *sum = 5;
        else
            *sum += a[i];
    }
    if (*sum != 2 * n + 3)
        reach_error();
    return 0;
}
