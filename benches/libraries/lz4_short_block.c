// library: lz4
// sources: lib/lz4.c
// options: -Ilib
// verdict: unreachable
// A block ends with literals, and a match has to lie before the last eight bytes, so that one of six
// bytes has literals alone: five at most.
#include "compact_se.h"
#include "lz4.h"
void reach_error(void);

int main(void) {
    char block[6], text[32];
    compact_se_make_symbolic(block, sizeof block, "block");
    if (LZ4_decompress_safe(block, text, sizeof block, sizeof text) > 5)
        reach_error();
    return 0;
}
