// verdict: reachable
// inputs: 3, -1, 2
// From a function that the C library calls, by a function that is called by pointer.
#include <setjmp.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

struct context {
    void (*fail)(struct context *, int);
    jmp_buf failed;
};
static struct context context;

static void by_jump(struct context *where, int code) { longjmp(where->failed, code); }

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    if (x < 0 || y < 0)
        context.fail(&context, x < 0 ? x : y);
    return (x > y) - (x < y);
}

int main(void) {
    int values[3];
    for (int i = 0; i < 3; i++)
        values[i] = __VERIFIER_nondet_int();
    context.fail = by_jump;
    int code = setjmp(context.failed);
    if (code == 0)
        qsort(values, 3, sizeof *values, compare);
    else if (code == -1)
        reach_error();
    return 0;
}
