// verdict: unreachable
// Nothing lies in the first and in the last page: SIG_IGN, MAP_FAILED and what else stands for no address.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

typedef void handler(int);
static char letter;
static void handle(int number) { letter = (char)number; }

int main(void) {
    handler *chosen = __VERIFIER_nondet_int() ? handle : NULL;
    char *block = malloc(10);
    if (chosen == (handler *)1 || chosen == (handler *)-1)
        reach_error();
    if (&letter == (char *)4095 || block + 10 == (char *)-1 || (char *)-4095 == block)
        reach_error();
    free(block);
    return 0;
}
