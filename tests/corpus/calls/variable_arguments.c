// verdict: unreachable
#include <stdarg.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

struct pair {
    int number;
    double fraction;
};
struct large {
    long numbers[4];
};

static long sum(const char *kinds, ...) {
    long all = 0;
    va_list arguments, again;
    va_start(arguments, kinds);
    va_copy(again, arguments);
    for (; *kinds; kinds++) {
        if (*kinds == 'i')
            all += va_arg(arguments, int);
        else if (*kinds == 'd')
            all += (long)va_arg(arguments, double);
        else if (*kinds == 'p')
            all += va_arg(arguments, struct pair).number;
        else if (*kinds == 'l')
            all += va_arg(arguments, struct large).numbers[3];
        else
            all += *va_arg(arguments, int *);
    }
    va_end(arguments);
    all += va_arg(again, int);
    va_end(again);
    return all;
}

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    struct pair pair = {3, 0.5};
    struct large large = {{0, 0, 0, 4}};
    long (*function)(const char *, ...) = sum;
    if (sum("ii", a, b) != 2L * a + b)
        reach_error();
    if (sum("iiiiiiiiid", 1, 2, 3, 4, 5, 6, 7, 8, 9, 2.5) != 48)
        reach_error();
    if (function("idpl*", 1, 2.0, pair, large, &b) != 11L + b)
        reach_error();
    return 0;
}
