// check: uninitialised
#include <stdio.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    char name[8];
    if (__VERIFIER_nondet_int() == 3)
        strcpy(name, "three");
#ifdef FIXED
    else
        name[0] = 0;
#endif
    puts(name); // error: use of an uninitialised value
    return 0;
}
