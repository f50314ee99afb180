// check: memory
#include <stdlib.h>

int main(void) {
    int *values = malloc(2 * sizeof *values);
    int *first = values;
    *first = 1;
    values = realloc(values, 10 * sizeof *values);
#ifdef FIXED
    first = values;
#endif
    *first = 2; // error: access to freed memory
    free(values);
    return 0;
}
