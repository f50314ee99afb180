// check: bool
#include <stdbool.h>
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char byte = __VERIFIER_nondet_uchar();
    bool is_set;
#ifdef FIXED
    byte = byte != 0;
#endif
    memcpy(&is_set, &byte, 1);
    return is_set ? 1 : 0; // error: value that its type does not have
}
