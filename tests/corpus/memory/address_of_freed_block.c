// verdict: unknown
// A block that is allocated after a free may lie where the freed one was.
#include <stdlib.h>
void reach_error(void) {}

int main(void) {
    char *before = malloc(24);
    unsigned long address = (unsigned long)before;
    free(before);
    char *after = malloc(24);
    if (address == (unsigned long)after)
        reach_error();
    return 0;
}
