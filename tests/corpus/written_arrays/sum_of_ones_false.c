// verdict: reachable
// inputs: 777
// classic: unknown  # one path for each length
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int(), sum = 0;
    if (n <= 0 || n > 1000000)
        return 0;
    int *a = malloc(n * sizeof(int));
    for (int i = 0; i < n; i++)
        a[i] = 3;
    for (int i = 0; i < n; i++)
        sum += a[i];
    if (sum == 2331)
        reach_error();
    return 0;
}
