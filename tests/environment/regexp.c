// A matcher of regular expressions with ^, $, . and *, the expression in the first argument, as in
// KLEE's second tutorial: behind a * at the beginning it reads beyond the end.
//
// --sym-arg 6
#include <string.h>

static int match_here(const char *re, const char *text);

static int match_star(int c, const char *re, const char *text) {
    do {
        if (match_here(re, text))
            return 1;
    } while (*text != '\0' && (*text++ == c || c == '.'));
    return 0;
}

static int match_here(const char *re, const char *text) {
    if (re[0] == '\0')
        return 1;
    if (re[1] == '*')
        return match_star(re[0], re + 2, text);
    if (re[0] == '$' && re[1] == '\0')
        return *text == '\0';
    if (*text != '\0' && (re[0] == '.' || re[0] == *text))
        return match_here(re + 1, text + 1);
    return 0;
}

static int match(const char *re, const char *text) {
    if (re[0] == '^')
        return match_here(re + 1, text);
    do {
        if (match_here(re, text))
            return 1;
    } while (*text++ != '\0');
    return 0;
}

int main(int argc, char **argv) {
    char re[4];
    if (argc < 2)
        return 2;
    // As many as fit, and no zero behind them.
    size_t length = strlen(argv[1]);
    memcpy(re, argv[1], length < sizeof re ? length + 1 : sizeof re);
    return match(re, "hello");
}
