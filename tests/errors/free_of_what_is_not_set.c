// check: memory
#include <stdlib.h>
struct node {
    struct node *child;
    int kind;
};

int main(void) {
    struct node *node = malloc(sizeof *node);
    node->kind = 1;
#ifdef FIXED
    node->child = 0;
#endif
    free(node->child); // error: free of memory that is not from malloc
    free(node);
    return 0;
}
