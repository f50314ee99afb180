// verdict: reachable
// inputs: 7, 5
#include <stdarg.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static int most_of(int count, va_list *arguments) {
    if (count == 0)
        return 0;
    int value = va_arg(*arguments, int), rest = most_of(count - 1, arguments);
    return value > rest ? value : rest;
}

static int most(int count, ...) {
    va_list arguments;
    va_start(arguments, count);
    int value = most_of(count, &arguments);
    va_end(arguments);
    return value;
}

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (most(3, a, most(2, b, 1), 3) == 7 && b == 5)
        reach_error();
    return 0;
}
