// check: memory
// What scanf does not read keeps its value.
#include <stdio.h>

int main(void) {
    int n = 10, table[10] = {0};
    int done = scanf("%d", &n);
#ifdef FIXED
    if (done != 1)
        return 1;
#endif
    if (done == 1)
        n &= 7;
    return table[n]; // error: access out of bounds
}
