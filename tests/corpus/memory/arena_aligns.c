// verdict: unreachable
// An arena rounds its next address up, by the address and not by the offset.
#include <stdint.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    char *arena = malloc(64);
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 20)
        return 0;
    char *next = arena + n;
    for (int i = 0; i < n; i++)
        arena[i] = 1;
    long *number = (long *)(((uintptr_t)next + 7) & ~(uintptr_t)7);
    *number = 42;
    if (arena[n - 1] != 1 || *number != 42 || (uintptr_t)number % 8 != 0)
        reach_error();
    free(arena);
    return 0;
}
