// check: leak
#include <setjmp.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static jmp_buf failed;

static int parse(int n) {
    char *buffer = malloc(8); // error: memory leak
    buffer[0] = 1;
    if (n == 815) {
#ifdef FIXED
        free(buffer);
#endif
        longjmp(failed, 1);
    }
    free(buffer);
    return n;
}

int main(void) {
    if (setjmp(failed))
        return 1;
    return parse(__VERIFIER_nondet_int()) == 815;
}
