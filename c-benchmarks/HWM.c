// HWM: searches a text for the words "Hello", "World", "At" and "Microsoft!".
//
// verdict: reachable
// classic: timeout
// compact: timeout
// source: ATVA 2013, Table 1 (HWM); ATVA 2011, Section 4 (HWM); ISSTA 2012, Section 6 (HWM)
//
// Known from the papers: four loops in a sequence, one a word. Each traverses the text from its
// beginning and runs a nested loop at each position that checks whether the word starts there.
// The words may stand anywhere and in any order; the target is reached only if all are found, and
// the check comes last, so that a loop that fails does not end the program.
// Chosen: the text is an array of n characters for any n, not a string with a terminator; the
// loops stand in main because the papers' tools analyse one function.
#include "../runtime/include/compact_se.h"
#include <stdlib.h>

void reach_error(void) {}

static const char hello[] = "Hello";
static const char world[] = "World";
static const char at[] = "At";
static const char microsoft[] = "Microsoft!";

int main(void) {
    int n = compact_se_int("n");
    if (n < 0)
        return 0;
    char *text = malloc((size_t)n);
    compact_se_make_symbolic(text, (size_t)n, "text");

    int hello_found = 0;
    for (int i = 0; i < n; i++) {
        int j = 0;
        while (j < 5 && i + j < n && text[i + j] == hello[j])
            j++;
        if (j == 5) {
            hello_found = 1;
            break;
        }
    }

    int world_found = 0;
    for (int i = 0; i < n; i++) {
        int j = 0;
        while (j < 5 && i + j < n && text[i + j] == world[j])
            j++;
        if (j == 5) {
            world_found = 1;
            break;
        }
    }

    int at_found = 0;
    for (int i = 0; i < n; i++) {
        int j = 0;
        while (j < 2 && i + j < n && text[i + j] == at[j])
            j++;
        if (j == 2) {
            at_found = 1;
            break;
        }
    }

    int microsoft_found = 0;
    for (int i = 0; i < n; i++) {
        int j = 0;
        while (j < 10 && i + j < n && text[i + j] == microsoft[j])
            j++;
        if (j == 10) {
            microsoft_found = 1;
            break;
        }
    }

    if (hello_found && world_found && at_found && microsoft_found)
        reach_error();
    return 0;
}
