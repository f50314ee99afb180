// decode_packets: decomposes a stream into packets of a two-dimensional array.
//
// verdict: reachable
// classic: reached
// compact: reached
// source: ATVA 2013, Table 1 (decode_packets)
//
// Known from the paper: the name, five templates and 26 cycles, the same numbers as for WinDriver,
// and that classic execution is faster here. It does not describe the program.
// Chosen: WinDriver.c with narrower rows and another target, which one packet reaches: a row with one
// data byte, of a certain value at a certain place. Any stream with a byte that is not idle is
// accepted, so one of six bytes is enough.
#include "../runtime/include/compact_se.h"
#include <stdlib.h>

void reach_error(void) {}

enum { IDLE = 0xff, FREE = 0, ROWS = 4, COLUMNS = 4, LARGEST = 2 + COLUMNS };

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
    if (busy == 0)
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
    if (used == 1 && packets[1][2] == 0x55)
        reach_error();
    return 0;
}
