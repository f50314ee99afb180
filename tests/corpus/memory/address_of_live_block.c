// verdict: unreachable
// Blocks that are alive at the same time lie apart.
#include <stdlib.h>
void reach_error(void) {}

int main(void) {
    char *before = malloc(24);
    unsigned long address = (unsigned long)before;
    char *after = malloc(24);
    if (address == (unsigned long)after)
        reach_error();
    free(before);
    return 0;
}
