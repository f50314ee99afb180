// check: memory
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *home = getenv("HOME");
#ifdef FIXED
    home = home == NULL ? NULL : strdup(home);
#endif
    free(home); // error: free of memory that is not from malloc
    return 0;
}
