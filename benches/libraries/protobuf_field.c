// library: nanopb
// sources: pb_decode.c pb_common.c
// options: -I.
// verdict: reachable
// Which five bytes are the field 200 with the number 70000?
#include "compact_se.h"
#include "pb_decode.h"
void reach_error(void);

int main(void) {
    unsigned char bytes[5];
    pb_wire_type_t type;
    uint32_t field;
    uint64_t value;
    bool is_over;
    compact_se_make_symbolic(bytes, sizeof bytes, "bytes");
    pb_istream_t stream = pb_istream_from_buffer(bytes, sizeof bytes);
    if (pb_decode_tag(&stream, &type, &field, &is_over) && field == 200 && type == PB_WT_VARINT &&
        pb_decode_varint(&stream, &value) && value == 70000)
        reach_error();
    return 0;
}
