// decode_packets: decomposes a stream into packets of a two-dimensional array.
//
// verdict: reachable
// classic: reached
// compact: reached
// source: ATVA 2013, Table 1 (decode_packets)
//
// Known from the paper: the name, five templates and 26 cycles, the same numbers as for WinDriver,
// and that classic execution is faster here. It does not describe the program.
// Chosen: the decoding half of WinDriver.c. A stream of any length holds packets: a start byte,
// the row and the column where the data belong, their length, the data. Other bytes between
// packets are skipped. The target asks for two decoded packets and a certain byte at a certain
// place, so a stream of nine bytes is enough.
#include "../runtime/include/compact_se.h"
#include <stdlib.h>

void reach_error(void) {}

enum { START = 0x7e, ROWS = 4, COLUMNS = 16 };

int main(void) {
    int n = compact_se_int("n");
    if (n < 0)
        return 0;
    unsigned char *stream = malloc((size_t)n);
    compact_se_make_symbolic(stream, (size_t)n, "stream");

    unsigned char packets[ROWS][COLUMNS] = {{0}};
    int decoded = 0;
    int next = 0;
    for (;;) {
        /* Skip what is not the start of a packet. */
        while (next < n && stream[next] != START)
            next++;
        if (n - next < 4)
            break;
        unsigned row = stream[next + 1];
        unsigned column = stream[next + 2];
        unsigned length = stream[next + 3];
        next += 4;
        if (row >= ROWS || column >= COLUMNS || length > COLUMNS - column ||
            length > (unsigned)(n - next))
            continue; /* no place for it, or cut off */
        for (unsigned k = 0; k < length; k++)
            packets[row][column + k] = stream[next + (int)k];
        next += (int)length;
        decoded++;
    }

    if (decoded == 2 && packets[1][2] == 0x55)
        reach_error();
    return 0;
}
