// library: utf8proc
// sources: utf8proc.c
// options: -I.
// verdict: unreachable
// No four bytes begin with half of a surrogate pair, or with what is no character of Unicode.
#include "compact_se.h"
#include "utf8proc.h"
void reach_error(void);

int main(void) {
    unsigned char text[4];
    utf8proc_int32_t character;
    compact_se_make_symbolic(text, sizeof text, "text");
    if (utf8proc_iterate(text, sizeof text, &character) > 0 &&
        ((character >= 0xd800 && character < 0xe000) || character > 0x10ffff || character < 0))
        reach_error();
    return 0;
}
