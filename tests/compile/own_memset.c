// run: => 1 an assertion fails
// run: -DFIXED => 0
// run: -m32 => 1
// A function of the program counts, also where clang knows one of the C library by its name.
#include <assert.h>
#include <string.h>
void *memset(void *to, int byte, size_t bytes) {
#ifdef FIXED
    assert(bytes <= 16);
#else
    assert(bytes <= 4);
#endif
    for (size_t i = 0; i < bytes; i++)
        ((char *)to)[i] = byte;
    return to;
}
int main(void) {
    char line[16];
    memset(line, 0, sizeof line);
    return line[3];
}
