// check: memory
#include <stdio.h>

int main(void) {
    int n = 0, value, table[4];
    while (scanf("%d", &value) == 1) {
#ifdef FIXED
        if (n == 4)
            break;
#endif
        table[n++] = value; // error: access out of bounds
    }
    return n > 0 ? table[0] & 1 : 0;
}
