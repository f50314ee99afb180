// WinDriver: decomposes a stream of network packets and checks the result for consistency.
//
// verdict: reachable
// classic: timeout
// compact: reached
// source: ATVA 2013, Table 1 (WinDriver); ISSTA 2012, Section 6 (WinDriver)
//
// Known from the papers: a part of a Windows driver. It reads a stream of network packets and
// decomposes it into a two-dimensional array of packets; the position in the array where data are
// copied to is encoded in the stream itself. The target is the failure branch of a consistency
// check of the array, and the check can be broken.
// Chosen: the stream has any length. It is accepted if more than 24 of its bytes are not idle
// bytes, which a loop with a branch counts; that is what keeps classic execution busy. Then it is
// decoded as in decode_packets.c. The check goes over each row: data come first, free space
// behind; a row with data behind free space is inconsistent. It can be broken because a packet
// chooses its own column.
#include "../runtime/include/compact_se.h"
#include <stdlib.h>

void reach_error(void) {}

enum { IDLE = 0xff, START = 0x7e, FREE = 0, ROWS = 4, COLUMNS = 16 };

int main(void) {
    int n = compact_se_int("n");
    if (n < 0)
        return 0;
    unsigned char *stream = malloc((size_t)n);
    compact_se_make_symbolic(stream, (size_t)n, "stream");

    int busy = 0;
    for (int i = 0; i < n; i++)
        if (stream[i] != IDLE)
            busy++;
    if (busy <= 24)
        return 0;

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
    if (decoded == 0)
        return 0;

    for (int row = 0; row < ROWS; row++) {
        int column = 0;
        while (column < COLUMNS && packets[row][column] != FREE)
            column++;
        while (column < COLUMNS && packets[row][column] == FREE)
            column++;
        if (column < COLUMNS)
            reach_error();
    }
    return 0;
}
