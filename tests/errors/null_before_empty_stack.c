// check: memory
#include <stdlib.h>

struct stack {
    long *items;
    size_t size;
};

static long pop(struct stack *stack) {
#ifdef FIXED
    if (stack->size == 0)
        return -1;
#endif
    return stack->items[--stack->size]; // error: access at an address outside of all objects
}

int main(void) {
    struct stack stack = {NULL, 0};
    return (int)pop(&stack);
}
