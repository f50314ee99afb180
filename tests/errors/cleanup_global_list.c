// check: cleanup
#include <stdlib.h>
struct node { struct node *next; };
static struct node *list;

int main(void) {
    for (int i = 0; i < 3; i++) {
        struct node *node = malloc(sizeof *node); // error: memory not freed
        node->next = list;
        list = node;
    }
#ifdef FIXED
    while (list != NULL) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
#endif
    return 0;
}
