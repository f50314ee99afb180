// check: memory
// The rest of a buffer is moved to its beginning; from a length on, the two blocks overlap.
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    char buffer[16] = "0123456789abcde";
    unsigned char rest = __VERIFIER_nondet_uchar();
    if (rest > 8)
        return 0;
#ifdef FIXED
    memmove(buffer, buffer + 4, rest);
#else
    memcpy(buffer, buffer + 4, rest); // error: memcpy between overlapping blocks
#endif
    return buffer[0] == '4';
}
