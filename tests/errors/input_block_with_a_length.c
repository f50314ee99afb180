// check: memory
#include <stdio.h>

int main(void) {
    unsigned char head[4], body[16];
    if (fread(head, 1, 4, stdin) != 4)
        return 1;
#ifdef FIXED
    if (head[0] > 16)
        return 1;
#endif
    if (fread(body, 1, head[0], stdin) != head[0]) // error: access out of bounds
        return 1;
    return body[0] & 1;
}
