// library: libsodium
// sources: src/libsodium/sodium/codecs.c
// options: -Isrc/libsodium/include/sodium
// verdict: reachable
// Which six characters, colons and blanks among them, are the bytes AB 1C?
#include "compact_se.h"
#include <stddef.h>
#include "utils.h"
void reach_error(void);

void sodium_misuse(void) {}

int main(void) {
    char text[6];
    unsigned char bytes[4];
    size_t length;
    compact_se_make_symbolic(text, sizeof text, "text");
    if (sodium_hex2bin(bytes, sizeof bytes, text, sizeof text, ": ", &length, 0) == 0 &&
        length == 2 && bytes[0] == 0xab && bytes[1] == 0x1c)
        reach_error();
    return 0;
}
