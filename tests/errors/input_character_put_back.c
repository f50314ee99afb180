// check: memory
#include <stdio.h>

int main(void) {
    char line[8];
    int i = 0, c = getc(stdin);
    if (c != '-')
        return 1;
    ungetc(c, stdin);
    if (fgetc(stdin) != '-')
        return line[8]; /* It is the same character. */
#ifdef FIXED
    while (i < 8 && (c = getc(stdin)) != EOF)
#else
    while ((c = getc(stdin)) != EOF)
#endif
        line[i++] = (char)c; // error: access out of bounds
    return i;
}
