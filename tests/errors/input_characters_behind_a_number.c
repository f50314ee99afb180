// check: memory
#include <stdio.h>

int main(void) {
    int n, c, i = 0;
    char rest[4];
    if (scanf("%d", &n) != 1)
        return 1;
    c = getchar();
    if (c >= '0' && c <= '9')
        return rest[9]; /* There is no digit behind a number. */
#ifdef FIXED
    while (i < 4 && c != EOF && c != '\n') {
#else
    while (c != EOF && c != '\n') {
#endif
        rest[i++] = (char)c; // error: access out of bounds
        c = getchar();
    }
    return i;
}
