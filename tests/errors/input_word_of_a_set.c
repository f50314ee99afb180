// check: memory
#include <stdio.h>

int main(void) {
    char key[16], value[16];
#ifdef FIXED
    if (scanf("%15[a-z]=%15[^\n]", key, value) != 2)
        return 1;
#else
    if (scanf("%15[a-z]=%[^\n]", key, value) != 2) // error: access out of bounds
        return 1;
#endif
    printf("%s: %s\n", key, value);
    return 0;
}
