// verdict: unreachable
// classic: unknown  # one path for each length
// Both arrays grow by the same from cell to cell.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int(), step = __VERIFIER_nondet_int();
    if (n <= 0 || n > 1000000 || step < 0 || step > 1000)
        return 0;
    int *a = malloc(n * sizeof(int)), *b = malloc(n * sizeof(int));
    a[0] = 7;
    b[0] = 3;
    for (int i = 1; i < n; i++)
        a[i] = a[i - 1] + step;
    for (int i = 1; i < n; i++)
        b[i] = b[i - 1] + step;
    for (int i = 0; i < n; i++)
        if (a[i] - b[i] != 4)
            reach_error();
    return 0;
}
