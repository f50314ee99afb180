// check: memory
#include <stdio.h>

int main(void) {
    char name[8];
#ifdef FIXED
    if (scanf("%7s", name) != 1)
        return 1;
#else
    if (scanf("%s", name) != 1) // error: access out of bounds
        return 1;
#endif
    puts(name);
    return 0;
}
