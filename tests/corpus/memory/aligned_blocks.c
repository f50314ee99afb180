// verdict: reachable
// The replay has blocks at multiples of what is asked for, too.
#include <stdint.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    void *cache_line = aligned_alloc(64, 64), *vector = aligned_alloc(32, 32), *page;
    if (posix_memalign(&page, 4096, 100) != 0)
        return 0;
    if ((uintptr_t)vector % 32 != 0 || (uintptr_t)cache_line % 64 != 0 || (uintptr_t)page % 4096 != 0)
        return 0;
    if (n == 5)
        reach_error();
}
