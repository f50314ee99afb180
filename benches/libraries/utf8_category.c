// library: utf8proc
// sources: utf8proc.c
// options: -I.
// verdict: reachable
// Which four bytes begin with a capital letter that is the Greek alpha in lower case?
#include "compact_se.h"
#include "utf8proc.h"
void reach_error(void);

int main(void) {
    unsigned char text[4];
    utf8proc_int32_t character;
    compact_se_make_symbolic(text, sizeof text, "text");
    if (utf8proc_iterate(text, sizeof text, &character) > 0 &&
        utf8proc_category(character) == UTF8PROC_CATEGORY_LU &&
        utf8proc_tolower(character) == 0x3b1)
        reach_error();
    return 0;
}
