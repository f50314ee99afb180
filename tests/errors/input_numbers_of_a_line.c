// check: division
#include <stdio.h>

int main(void) {
    long a;
    short b;
    char operator;
    if (scanf("%ld %c %hd", &a, &operator, &b) != 3)
        return 1;
#ifdef FIXED
    if (b == 0 || b == -1)
        return 1;
#endif
    if (operator != '/')
        return 2;
    printf("%ld\n", a / b); // error: division by zero
    return 0;
}
