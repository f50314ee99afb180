// verdict: reachable
// inputs: 1000, 999
// classic: unknown  # one path for each length
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int(), at = __VERIFIER_nondet_int();
    if (n <= 0 || n > 1000 || at < 0 || at >= n)
        return 0;
    int *a = malloc(n * sizeof(int));
    a[0] = 7;
    for (int i = 1; i < n; i++)
        a[i] = a[i - 1] + 3;
    if (a[at] == 3004)
        reach_error();
    return 0;
}
