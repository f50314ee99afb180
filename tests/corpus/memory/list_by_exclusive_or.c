// verdict: unreachable
// A list in which each node has its neighbours in one word.
#include <stdint.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

struct node {
    int value;
    uintptr_t both;
};

int main(void) {
    struct node first = {1, 0}, second = {2, 0}, third = {__VERIFIER_nondet_int(), 0};
    first.both = (uintptr_t)&second;
    second.both = (uintptr_t)&first ^ (uintptr_t)&third;
    third.both = (uintptr_t)&second;
    int forth = 0, back = 0;
    uintptr_t before = 0;
    struct node *node = &first;
    while (node) {
        forth = forth * 3 + node->value;
        uintptr_t next = before ^ node->both;
        before = (uintptr_t)node;
        node = (struct node *)next;
    }
    before = 0;
    node = &third;
    while (node) {
        back = back * 3 + node->value;
        uintptr_t next = before ^ node->both;
        before = (uintptr_t)node;
        node = (struct node *)next;
    }
    int last = third.value;
    if (forth != 15 + last || back != 9 * last + 7)
        reach_error();
    return 0;
}
