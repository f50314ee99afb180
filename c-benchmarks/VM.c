// VM: an interpreter for a symbolic program with jumps.
//
// verdict: reachable
// classic: timeout
// compact: timeout
// source: ATVA 2013, Table 1 (VM)
//
// Known from the paper: the name, six templates and 64 failed queries. It does not describe the
// program.
// Chosen: VMS with a second register, instructions with an operand, and jumps to any address. The
// target is a halt with 1000 in one register and 500 in the other: a program that increments 1000
// times, swaps, increments 500 times and halts reaches it, as do shorter ones that add constants.
// Runs of nop, inc and dec have templates; a run of add or sub has none, because the register then
// holds a sum over the program, and neither has a jump.
#include "../runtime/include/compact_se.h"
#include <stdlib.h>

void reach_error(void) {}

enum { NOP, INC, DEC, ADD, SUB, SWAP, JUMP, JUMP_IF_ZERO, HALT };

int main(void) {
    int n = compact_se_int("n");
    if (n < 0)
        return 0;
    unsigned char *code = malloc((size_t)n);
    compact_se_make_symbolic(code, (size_t)n, "code");

    int accumulator = 0, other = 0;
    int next = 0;
    while (next < n) {
        int instruction = code[next];
        int operand = 0;
        next++;
        if (instruction == ADD || instruction == SUB || instruction == JUMP ||
            instruction == JUMP_IF_ZERO) {
            if (next == n)
                return 1; /* the operand is missing */
            operand = code[next];
            next++;
        }
        switch (instruction) {
        case NOP:
            break;
        case INC:
            accumulator++;
            break;
        case DEC:
            accumulator--;
            break;
        case ADD:
            accumulator += operand;
            break;
        case SUB:
            accumulator -= operand;
            break;
        case SWAP: {
            int swapped = accumulator;
            accumulator = other;
            other = swapped;
            break;
        }
        case JUMP:
            next = operand;
            break;
        case JUMP_IF_ZERO:
            if (accumulator == 0)
                next = operand;
            break;
        case HALT:
            if (accumulator == 500 && other == 1000)
                reach_error();
            return 0;
        default: /* illegal instruction */
            return 1;
        }
    }
    return 0;
}
