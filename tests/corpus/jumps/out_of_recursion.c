// verdict: reachable
// inputs: 40, 40, 49, 41, 42
// A parser by recursive descent, which leaves all its calls at once where brackets are not closed.
#include <setjmp.h>
extern char __VERIFIER_nondet_char(void);
void reach_error(void) {}

static char text[6];
static const char *at;
static int depth;
static jmp_buf failed;

static void expression(void) {
    if (*at == '(') {
        at++;
        depth++;
        expression();
        if (*at != ')')
            longjmp(failed, 1);
        at++;
        depth--;
    } else if (*at == '1') {
        at++;
    } else {
        longjmp(failed, 2);
    }
}

int main(void) {
    for (int i = 0; i < 5; i++)
        text[i] = __VERIFIER_nondet_char();
    at = text;
    int code = setjmp(failed);
    if (code == 0)
        expression();
    else if (code == 1 && depth == 1 && *at == '*' && at == text + 4)
        reach_error();
    return 0;
}
