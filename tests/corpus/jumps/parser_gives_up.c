// verdict: reachable
// inputs: 57, 57, 55
// A parser of numbers that gives up by longjmp, with what went wrong: three digits are too large from 256 on.
#include <setjmp.h>
extern char __VERIFIER_nondet_char(void);
void reach_error(void) {}

enum { NOT_A_DIGIT = 1, TOO_LARGE };
static jmp_buf failed;
static char text[4];

static int digit(char c) {
    if (c < '0' || c > '9')
        longjmp(failed, NOT_A_DIGIT);
    return c - '0';
}

static int number(const char *at) {
    int value = 0;
    for (; *at; at++) {
        value = 10 * value + digit(*at);
        if (value > 255)
            longjmp(failed, TOO_LARGE);
    }
    return value;
}

int main(void) {
    for (int i = 0; i < 3; i++)
        text[i] = __VERIFIER_nondet_char();
    switch (setjmp(failed)) {
    case 0:
        number(text);
        return 0;
    case TOO_LARGE:
        if (text[0] == '9' && text[2] == '7')
            reach_error();
        return 1;
    default:
        return 2;
    }
}
