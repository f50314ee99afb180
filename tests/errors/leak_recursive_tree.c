// check: leak
#include <stdlib.h>
struct tree { struct tree *left, *right; };

static struct tree *build(int depth) {
    struct tree *tree = malloc(sizeof *tree); // error: memory leak
    tree->left = depth > 0 ? build(depth - 1) : NULL;
    tree->right = depth > 1 ? build(depth - 2) : NULL;
    return tree;
}

static void destroy(struct tree *tree) {
    if (tree == NULL)
        return;
    destroy(tree->left);
#ifdef FIXED
    destroy(tree->right);
#endif
    free(tree);
}

int main(void) {
    destroy(build(3));
    return 0;
}
