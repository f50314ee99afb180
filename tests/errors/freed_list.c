// check: memory
#include <stdlib.h>
struct node { struct node *next; };

int main(void) {
    struct node *list = 0;
    for (int i = 0; i < 3; i++) {
        struct node *node = malloc(sizeof *node);
        node->next = list;
        list = node;
    }
    while (list != 0) {
#ifdef FIXED
        struct node *next = list->next;
        free(list);
        list = next;
#else
        free(list);
        list = list->next; // error: access to freed memory
#endif
    }
    return 0;
}
