// verdict: unreachable
// classic: unknown  # one path for each value of the bound
//
// If no element is x, then the element k is not.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int();
    if (n < 0 || k < 0 || k >= n)
        return 0;
    int *array = malloc((size_t)n * sizeof *array);
    if (array == NULL)
        return 0;
    int i = 0;
    while (i < n && array[i] != x)
        i++;
    if (i == n && array[k] == x)
        reach_error();
    return 0;
}
