// verdict: unreachable
// A write at an unknown place of a buffer leaves the other fields of its structure alone.
#include <string.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static int seven(void) { return 7; }

struct context {
    int (*callback)(void);
    int length;
    char marks[64];
    const char *name;
};

int main(void) {
    struct context context;
    int n = __VERIFIER_nondet_int();
    int m = __VERIFIER_nondet_int();
    context.callback = seven;
    context.length = 3;
    context.name = "context";
    if (n < 0 || n >= 64 || m < 0 || m > 64)
        return 0;
    memset(context.marks, 0, m);
    context.marks[n] = 1;
    if (context.callback() != 7 || *context.name != 'c')
        reach_error();
    int sum = 0;
    for (int i = 0; i < context.length; i++)
        sum += i;
    if (sum != 3)
        reach_error();
    return 0;
}
