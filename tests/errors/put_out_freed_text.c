// check: memory
// A text is put out after it was freed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *text = malloc(6);
    if (text == NULL)
        return 1;
    strcpy(text, "hello");
#ifndef FIXED
    free(text);
#endif
    puts(text); // error: access to freed memory
#ifdef FIXED
    free(text);
#endif
    return 0;
}
