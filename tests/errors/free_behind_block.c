// check: memory
#include <stdlib.h>

int main(void) {
    char *block = malloc(8);
#ifndef FIXED
    block += 8;
#endif
    free(block); // error: free of memory that is not from malloc
    return 0;
}
