// library: bzip2
// sources: bzlib.c decompress.c huffman.c crctable.c randtable.c blocksort.c compress.c
// options: -I. -DBZ_NO_STDIO
// verdict: reachable
// Which ten bytes behind the head are a whole stream?
#include "compact_se.h"
#include "bzlib.h"
void reach_error(void);

void bz_internal_error(int code) { (void)code; }

int main(void) {
    char stream[14] = {'B', 'Z', 'h', '9'}, text[64];
    unsigned length = sizeof text;
    compact_se_make_symbolic(stream + 4, 10, "stream");
    if (BZ2_bzBuffToBuffDecompress(text, &length, stream, sizeof stream, 1, 0) == BZ_OK)
        reach_error();
    return 0;
}
