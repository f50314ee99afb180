// verdict: unreachable
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node *list = 0;
    int length = 0;
    // Each node of an iteration is another object; what can be reached looks the same again.
    while (1) {
        int command = __VERIFIER_nondet_int();
        if (command == 1 && length < 2) {
            struct node *node = malloc(sizeof *node);
            node->value = 1;
            node->next = list;
            list = node;
            length++;
        } else if (command == 2 && list) {
            list = list->next;
            length--;
        } else if (command == 3 && list && list->value != 1) {
            reach_error();
        }
    }
}
