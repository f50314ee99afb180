// check: memory
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *line = NULL, name[8];
    size_t bytes = 0;
    ssize_t length = getline(&line, &bytes, stdin);
    if (length < 0) {
        free(line);
        return 1;
    }
#ifdef FIXED
    if (length > 8)
        length = 8;
#endif
    memcpy(name, line, (size_t)length); // error: access out of bounds
    free(line);
    return name[0];
}
