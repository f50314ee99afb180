// verdict: unreachable
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n == 0 || n > 1000)
        return 0;
    char *block = malloc((size_t)n);
    if ((block == NULL) != (n < 0))
        reach_error();
    char *kept = malloc(4);
    kept[0] = 7;
    char *moved = realloc(kept, (size_t)n);
    if ((moved == NULL ? kept : moved)[0] != 7)
        reach_error();
    void *aligned = NULL;
    int failed = posix_memalign(&aligned, 64, (size_t)n);
    if ((failed != 0) != (n < 0) || (aligned == NULL) != (n < 0))
        reach_error();
    unsigned few = (unsigned)n % 4;
    if ((calloc(few, (size_t)1 << 63) == NULL) != (few != 0))
        reach_error();
    return 0;
}
