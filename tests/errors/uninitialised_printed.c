// check: uninitialised
#include <stdio.h>

static void show(double x) { printf("%g\n", x); }

int main(void) {
    double values[3];
    values[0] = 1;
#ifdef FIXED
    values[1] = 2;
#endif
    show(values[0]);
    show(values[1]); // error: use of an uninitialised value
    return 0;
}
