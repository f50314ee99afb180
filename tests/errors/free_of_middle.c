// check: memory
#include <stdlib.h>

int main(void) {
    char *text = calloc(8, 1), *here = text;
    while (*here == '\0' && here < text + 3)
        here++;
#ifdef FIXED
    here = text;
#endif
    free(here); // error: free of memory that is not from malloc
    return 0;
}
