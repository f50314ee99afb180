// check: memory
// Behind the last line the end has not been seen.
#include <stdio.h>

int main(void) {
    int n, sum = 0, table[10] = {0};
    n = 10;
    while (!feof(stdin)) {
        int done = scanf("%d", &n);
#ifdef FIXED
        if (done != 1)
            break;
#endif
        if (done == 1)
            n &= 7;
        sum += table[n]; // error: access out of bounds
    }
    return sum;
}
