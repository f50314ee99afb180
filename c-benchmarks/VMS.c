// VMS: an interpreter for a symbolic program, reduced instruction set.
//
// verdict: reachable
// classic: reached
// compact: reached
// source: ATVA 2013, Table 1 (VMS)
//
// Known from the paper: the name, three templates, and that classic execution reaches the target
// after 281263 states. It does not describe the program.
// Chosen: a machine with one register and the instructions nop, inc, dec and halt, which runs a
// program of any length and any content. The target is a halt with 9 in the register, for which
// ten instructions are needed: classic execution in breadth-first order tries the 3^9 sequences
// before that, compact execution takes the template of inc once.
#include "../runtime/include/compact_se.h"
#include <stdlib.h>

void reach_error(void) {}

enum { NOP = 0, INC = 1, DEC = 2, HALT = 3 };

int main(void) {
    int n = compact_se_int("n");
    if (n < 0)
        return 0;
    unsigned char *code = malloc((size_t)n);
    compact_se_make_symbolic(code, (size_t)n, "code");

    int accumulator = 0;
    int next = 0;
    while (next < n) {
        switch (code[next]) {
        case NOP:
            next++;
            break;
        case INC:
            accumulator++;
            next++;
            break;
        case DEC:
            accumulator--;
            next++;
            break;
        case HALT:
            if (accumulator == 9)
                reach_error();
            return 0;
        default: /* illegal instruction */
            return 1;
        }
    }
    return 0;
}
