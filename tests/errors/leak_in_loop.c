// check: leak
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        int *line = malloc(2 * sizeof *line); // error: memory leak
        line[0] = __VERIFIER_nondet_int();
        line[1] = 0;
        int is_last = line[0] == line[1];
#ifdef FIXED
        free(line);
#endif
        if (is_last)
            break;
    }
    return 0;
}
