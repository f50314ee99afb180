// HW: searches a text for the words "Hello" and "World".
//
// verdict: reachable
// classic: timeout
// compact: reached
// source: ATVA 2013, Table 1 (HW); ATVA 2011, Section 4 (HW); ISSTA 2012, Section 6 (HW)
//
// Known from the papers: HWM with the first two words only, see HWM.c.
// Chosen: as in HWM.c.
#include "../runtime/include/compact_se.h"
#include <stdlib.h>

void reach_error(void) {}

static const char hello[] = "Hello";
static const char world[] = "World";

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

    if (hello_found && world_found)
        reach_error();
    return 0;
}
