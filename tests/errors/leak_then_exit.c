// check: leak
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static char *name;

static void fail(int code) {
    exit(code);
}

static void load(int code) {
    name = malloc(12); // error: memory leak
    name[0] = 'x';
    if (code == 3) {
#ifndef FIXED
        name = NULL;
#endif
        fail(code);
    }
    free(name);
}

int main(void) {
    load(__VERIFIER_nondet_int());
    return 0;
}
