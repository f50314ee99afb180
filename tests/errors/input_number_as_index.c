// check: memory
#include <stdio.h>

int main(void) {
    int n, table[10] = {0};
    if (scanf("%d", &n) != 1)
        return 1;
#ifdef FIXED
    if (n < 0 || n >= 10)
        return 1;
#endif
    table[n] = 1; // error: access out of bounds
    return table[0];
}
