// library: libcsv
// sources: libcsv.c
// options: -I.
// verdict: reachable
// Which five bytes are two rows with four fields in all?
#include "compact_se.h"
#include "csv.h"
void reach_error(void);

static int fields, rows;

static void field(void *text, size_t bytes, void *data) {
    (void)text, (void)bytes, (void)data;
    fields++;
}

static void row(int end, void *data) {
    (void)end, (void)data;
    rows++;
}

int main(void) {
    char text[5];
    struct csv_parser parser;
    compact_se_make_symbolic(text, sizeof text, "text");
    if (csv_init(&parser, 0) != 0)
        return 0;
    if (csv_parse(&parser, text, sizeof text, field, row, 0) != sizeof text)
        return 0;
    csv_fini(&parser, field, row, 0);
    if (fields == 4 && rows == 2)
        reach_error();
    csv_free(&parser);
    return 0;
}
