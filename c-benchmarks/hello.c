// Hello: searches a text for the word "Hello".
//
// verdict: reachable
// classic: reached
// compact: reached
// source: ATVA 2013, Table 1 (hello); ATVA 2011, Section 4 (Hello); ISSTA 2012, Section 6 (Hello)
//
// Known from the papers: the first third of HWM, see HWM.c.
// Chosen: as in HWM.c. The shortest input that reaches the target has five characters, which is
// why classic execution succeeds here.
// With -DBOUND=b the word counts from position b on.
#include "../runtime/include/compact_se.h"
#include <stdlib.h>

void reach_error(void) {}

static const char hello[] = "Hello";

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
#ifdef BOUND
        if (i < BOUND)
            continue;
#endif
        if (j == 5) {
            hello_found = 1;
            break;
        }
    }

    if (hello_found)
        reach_error();
    return 0;
}
