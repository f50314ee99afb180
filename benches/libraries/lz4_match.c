// library: lz4
// sources: lib/lz4.c
// options: -Ilib
// verdict: reachable
// Which block of ten bytes unpacks to ten that begin and end with 'a'?
#include "compact_se.h"
#include "lz4.h"
void reach_error(void);

int main(void) {
    char block[10], text[32];
    compact_se_make_symbolic(block, sizeof block, "block");
    int length = LZ4_decompress_safe(block, text, sizeof block, sizeof text);
    if (length == 10 && text[0] == 'a' && text[9] == 'a')
        reach_error();
    return 0;
}
