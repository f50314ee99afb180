// library: libsodium
// sources: src/libsodium/sodium/codecs.c
// options: -Isrc/libsodium/include/sodium
// verdict: unreachable
// Four bytes are what they were, once they are encoded for URLs and decoded, in constant time.
#include "compact_se.h"
#include <stddef.h>
#include "utils.h"
void reach_error(void);

void sodium_misuse(void) {}

int main(void) {
    unsigned char bytes[4], decoded[4];
    char code[16];
    size_t length;
    compact_se_make_symbolic(bytes, sizeof bytes, "bytes");
    sodium_bin2base64(code, sizeof code, bytes, sizeof bytes, sodium_base64_VARIANT_URLSAFE);
    if (sodium_base642bin(decoded, sizeof decoded, code, 8, 0, &length, 0,
                          sodium_base64_VARIANT_URLSAFE) != 0 ||
        length != sizeof bytes)
        reach_error();
    for (unsigned i = 0; i < sizeof bytes; i++)
        if (decoded[i] != bytes[i])
            reach_error();
    return 0;
}
