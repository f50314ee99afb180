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
// check of the array, and the check can be broken. Five templates and 26 cycles, the same numbers as
// for decode_packets.
// Chosen: the stream has any length. It is accepted if more than 24 of its bytes are not idle
// bytes, which a loop with a branch counts; that is what keeps classic execution busy. A packet is
// the position of its data, their length, the data; one whose data do not fit in their row ends the
// program. Packets are decoded as long as the rest of the stream has room for the longest. The check
// counts the data bytes of a row: data come first, free space behind, so that the cell behind so
// many data is free. It can be broken because a packet chooses its own column. The loops that count
// have eight cycles and two templates each, decoding eight cycles without a template, since a packet's
// length decides where the next one begins, and copying two with one: 26 and five, as in the paper.
#include "../runtime/include/compact_se.h"
#include <stdlib.h>

void reach_error(void) {}

enum { IDLE = 0xff, FREE = 0, ROWS = 4, COLUMNS = 16, LARGEST = 2 + COLUMNS };

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
    int next = 0;
    while (n - next >= LARGEST) {
        unsigned row = stream[next] / COLUMNS % ROWS;
        unsigned column = stream[next] % COLUMNS;
        unsigned length = stream[next + 1];
        if (length > COLUMNS - column)
            return 0; /* malformed */
        next += 2;
        for (unsigned k = 0; k < length; k++)
            packets[row][column + k] = stream[next + (int)k];
        next += (int)length;
    }

    int used = 0;
    for (int column = 0; column < COLUMNS; column++)
        if (packets[1][column] != FREE)
            used++;
    if (used < COLUMNS && packets[1][used] != FREE)
        reach_error();
    return 0;
}
