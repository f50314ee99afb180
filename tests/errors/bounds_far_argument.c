// check: memory
// The pointer is out of bounds where it is passed, and again where it is stored; the access is within the library.
#include <stdio.h>

#ifdef FIXED
enum { OFFSET = 3 };
#else
enum { OFFSET = 1003 };
#endif

static void show(const char *text, int offset) {
    printf("%s\n", text + offset); // error: access out of bounds
}

int main(void) {
    volatile int offset = OFFSET;
    show("message", offset);
    return 0;
}
