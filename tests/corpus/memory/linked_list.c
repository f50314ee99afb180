// verdict: reachable
// inputs: 1, 2, 3
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *head = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *node = malloc(sizeof *node);
        if (node == NULL)
            return 0;
        node->value = __VERIFIER_nondet_int();
        node->next = head;
        head = node;
    }
    int number = 0;
    for (struct node *node = head; node != NULL; node = node->next)
        number = number * 10 + node->value;
    if (number == 321 && head->value == 3 && head->next->value == 2)
        reach_error();
    return 0;
}
