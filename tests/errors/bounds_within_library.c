// check: memory
// A text without end is handed to functions of the C library.
#include <string.h>
extern char __VERIFIER_nondet_char(void);

static size_t length(const char *text) {
    return strlen(text); // error: access out of bounds
}

int main(void) {
    char text[4];
    for (int i = 0; i < 4; i++) {
        text[i] = __VERIFIER_nondet_char();
    }
#ifdef FIXED
    text[3] = '\0';
#endif
    return length(text) == 2 && strcmp(text, "ab") == 0;
}
