// check: memory
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[64], name[8];
    if (!fgets(line, sizeof line, stdin))
        return 0;
#ifdef FIXED
    if (strlen(line) >= sizeof name)
        return 1;
#endif
    strcpy(name, line); // error: access out of bounds
    return name[0];
}
