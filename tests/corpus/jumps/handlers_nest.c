// verdict: unreachable
// try within try: the inner handler catches what it knows and hands on the rest; handlers are on a stack
// of buffers.
#include <setjmp.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

struct handler {
    struct handler *outer;
    jmp_buf at;
};
static struct handler *innermost;

static void throw_(int code) {
    struct handler *handler = innermost;
    innermost = handler->outer;
    longjmp(handler->at, code);
}

static void work(int n) {
    if (n > 10)
        throw_(2);
    if (n < 0)
        throw_(3);
}

static int careful(int n) {
    struct handler own;
    own.outer = innermost;
    int code = setjmp(own.at);
    if (code == 0) {
        innermost = &own;
        work(n);
        innermost = own.outer;
        return 0;
    }
    if (code == 2)
        return 1;
    throw_(code + 10);
    return -1;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    struct handler all;
    all.outer = 0;
    int code = setjmp(all.at);
    if (code == 0) {
        innermost = &all;
        int result = careful(n);
        if (result != (n > 10) || n < 0)
            reach_error();
    } else if (code != 13 || n >= 0) {
        reach_error();
    }
    return 0;
}
