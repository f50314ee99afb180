// verdict: unreachable
// classic: unknown  # lists of any length
// compact: unknown  # lists of any length
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *node = malloc(sizeof *node);
        node->value = 1;
        node->next = list;
        list = node;
    }
    for (; list; list = list->next)
        if (list->value != 1)
            reach_error();
    return 0;
}
