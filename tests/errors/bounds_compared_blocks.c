// check: memory
// As many bytes are compared as the longer of two blocks has.
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    char name[4] = "abc", other[8] = "xyz";
    unsigned char bytes = __VERIFIER_nondet_uchar();
#ifdef FIXED
    if (bytes > sizeof name)
        bytes = sizeof name;
#else
    if (bytes > sizeof other)
        bytes = sizeof other;
#endif
    return memcmp(name, other, bytes) == 0; // error: access out of bounds
}
