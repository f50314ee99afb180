// check: memory
#include <stdlib.h>
struct pair { int first, second; };

int main(void) {
#ifdef FIXED
    struct pair *pair = malloc(sizeof(struct pair));
#else
    struct pair *pair = malloc(sizeof(pair->first));
#endif
    pair->first = 1;
    pair->second = 2; // error: access out of bounds
    free(pair);
    return 0;
}
