// check: memory
#include <stdlib.h>

int main(void) {
    char *block = calloc(200, 1), *place = block;
#ifndef FIXED
    place += 96;
#endif
    char *larger = realloc(place, 300); // error: free of memory that is not from malloc
    free(larger);
    return 0;
}
