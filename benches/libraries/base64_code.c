// library: libb64
// sources: src/cencode.c src/cdecode.c
// options: -Iinclude
// verdict: reachable
// Which three bytes have the code "TWFu"?
#include "compact_se.h"
#include <b64/cencode.h>
void reach_error(void);

int main(void) {
    char text[3], code[16];
    base64_encodestate state;
    compact_se_make_symbolic(text, sizeof text, "text");
    base64_init_encodestate(&state);
    base64_encode_block(text, sizeof text, code, &state);
    if (code[0] == 'T' && code[1] == 'W' && code[2] == 'F' && code[3] == 'u')
        reach_error();
    return 0;
}
