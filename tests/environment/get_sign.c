// The sign of the number in the first argument, as in KLEE's first tutorial; nobody handles 7.
//
// --sym-arg 3
#include <stdio.h>
#include <stdlib.h>

extern void reach_error(void);

static int get_sign(int x) {
    if (x == 0)
        return 0;
    return x < 0 ? -1 : 1;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: %s number\n", argv[0]);
        return 2;
    }
    int x = atoi(argv[1]);
    int sign = get_sign(x);
    printf("%d\n", sign);
    if (sign == -1 && x == -7)
        reach_error();
    return 0;
}
