// check: alignment
#include <stdlib.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned char *packet = malloc(16);
    unsigned offset = __VERIFIER_nondet_uint(), length = 0;
    if (!packet)
        return 1;
    memset(packet, 0, 16);
    if (offset <= 12) {
#ifdef FIXED
        memcpy(&length, packet + offset, sizeof length);
#else
        length = *(unsigned *)(packet + offset); // error: use of an address that is not aligned for its type
#endif
    }
    free(packet);
    return length != 0;
}
