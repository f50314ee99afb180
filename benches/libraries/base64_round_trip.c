// library: libb64
// sources: src/cencode.c src/cdecode.c
// options: -Iinclude
// verdict: unreachable
// What is encoded and decoded is what it was, for three bytes.
#include "compact_se.h"
#include <b64/cdecode.h>
#include <b64/cencode.h>
void reach_error(void);

int main(void) {
    char text[3], code[16], decoded[16];
    base64_encodestate encoder;
    base64_decodestate decoder;
    compact_se_make_symbolic(text, sizeof text, "text");
    base64_init_encodestate(&encoder);
    int length = base64_encode_block(text, sizeof text, code, &encoder);
    length += base64_encode_blockend(code + length, &encoder);
    base64_init_decodestate(&decoder);
    if (base64_decode_block(code, length, decoded, &decoder) != sizeof text)
        reach_error();
    for (unsigned i = 0; i < sizeof text; i++)
        if (decoded[i] != text[i])
            reach_error();
    return 0;
}
