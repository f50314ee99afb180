// verdict: unreachable
// leaves: not compared  # content that was never written has symbols of its own in each run
// Addresses have 47 bits, and are not those of null with an offset.
#include <stdint.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
void reach_error(void) {}

struct item {
    char name[4];
    char more[4];
    struct item *next;
};
static struct item other;
static void handle(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100)
        return 0;
    char *block = malloc(n + 10);
    uintptr_t numbers[] = {(uintptr_t)block, (uintptr_t)&other.next, (uintptr_t)&other, (uintptr_t)handle};
    for (int i = 0; i < 4; i++)
        if (numbers[i] >> 47 != 0 || numbers[i] < 0x10000 || (intptr_t)numbers[i] < 0)
            reach_error();
    if ((uintptr_t)(block + n) < 0x1000 || (char *)0xffff800000000000 < block + n)
        reach_error();
    free(block);

    // A text without an end ends in the pointer behind it.
    struct item item = {.next = &other};
    for (int i = 0; i < 4; i++) {
        item.name[i] = __VERIFIER_nondet_char();
        item.more[i] = __VERIFIER_nondet_char();
    }
    const unsigned char *bytes = (const unsigned char *)&item;
    unsigned length = 0;
    while (length < sizeof item && bytes[length] != 0)
        length++;
    if (length >= sizeof item)
        reach_error();
    return 0;
}
