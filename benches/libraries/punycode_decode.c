// library: libidn
// sources: lib/punycode.c
// options: -Ilib -Iwindows/include -D_AC_STDINT_H -include stdint.h
// verdict: reachable
// Which five characters are the Punycode of one ü before one x?
#include "compact_se.h"
#include <stdlib.h>
#include <sys/types.h>
#include "punycode.h"
void reach_error(void);

int main(void) {
    char text[5];
    punycode_uint code_points[6];
    size_t n = 6;
    compact_se_make_symbolic(text, sizeof text, "text");
    if (punycode_decode(sizeof text, text, &n, code_points, NULL) == PUNYCODE_SUCCESS && n == 2 &&
        code_points[0] == 0xfc && code_points[1] == 'x')
        reach_error();
    return 0;
}
