// check: memory
// A line may begin with a zero.
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[16];
    size_t n;
    if (!fgets(line, sizeof line, stdin))
        return 0;
    n = strlen(line);
#ifdef FIXED
    if (n == 0)
        return 0;
#endif
    if (line[n - 1] == '\n') // error: access out of bounds
        line[n - 1] = '\0';
    puts(line);
    return 0;
}
