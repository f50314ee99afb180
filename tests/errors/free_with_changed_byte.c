// check: memory
#include <stdlib.h>

int main(void) {
    union {
        void *block;
        struct {
            char bytes[2];
            void *next;
        } item;
    } both;
    both.block = malloc(37);
#ifndef FIXED
    both.item.bytes[1] = sizeof both.item;
#endif
    free(both.block); // error: free of memory that is not from malloc
    return 0;
}
