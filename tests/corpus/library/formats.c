// verdict: unreachable
// All is known.
#include <stdio.h>
#include <string.h>
void reach_error(void) {}

static void check(const char *text, const char *expected) {
    if (strcmp(text, expected) != 0)
        reach_error();
}

int main(void) {
    char text[100];
    sprintf(text, "%+5d|%-5u|%05x|%#o|%c|%.2s|%%|%hhd|%ld", 42, 7u, 0xabu, 8u, 'c', "text", 300, -1L);
    check(text, "  +42|7    |000ab|010|c|te|%|44|-1");
    sprintf(text, "%.3f|%8.2e|%g|%g|%.0f|%s", 0.0005, 12345.678, 0.0001, 1e100, 2.5, "end");
    check(text, "0.001|1.23e+04|0.0001|1e+100|2|end");
    if (printf("%d%s", 12, "ab") > 4)
        reach_error();
    return 0;
}
