// check: uninitialised
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct task { int number; int is_done; };

int main(void) {
    struct task *task = malloc(sizeof *task);
    task->number = __VERIFIER_nondet_int();
#ifdef FIXED
    task->is_done = 0;
#endif
    if (task->is_done) // error: use of an uninitialised value
        task->number = 0;
    free(task);
    return 0;
}
