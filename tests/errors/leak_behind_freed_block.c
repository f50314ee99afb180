// check: leak
#include <stdlib.h>
struct pair { char *name; int value; };

int main(void) {
    struct pair *pair = malloc(sizeof *pair);
    pair->name = malloc(8); // error: memory leak
    pair->value = 1;
    pair->name[0] = 0;
#ifdef FIXED
    free(pair->name);
#endif
    free(pair);
    return 0;
}
