// library: xxhash
// sources:
// options: -I.
// verdict: reachable
// Which two bytes have the hash of "hi"?
#include "compact_se.h"
#define XXH_INLINE_ALL
#include "xxhash.h"
void reach_error(void);

int main(void) {
    unsigned char text[2];
    compact_se_make_symbolic(text, sizeof text, "text");
    if (XXH32(text, sizeof text, 0) == XXH32("hi", 2, 0))
        reach_error();
    return 0;
}
