// check: memory
#include <stdlib.h>
#include <string.h>

int main(void) {
    const char *name = "verifier";
#ifdef FIXED
    char *copy = malloc(strlen(name) + 1);
#else
    char *copy = malloc(strlen(name));
#endif
    size_t i = 0;
    for (; name[i] != '\0'; i++)
        copy[i] = name[i];
    copy[i] = '\0'; // error: access out of bounds
    free(copy);
    return 0;
}
