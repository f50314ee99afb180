// check: memory
// A copy that fills the buffer leaves no room for the end of the text.
#include <stdio.h>
#include <string.h>
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char input[8], name[4];
    for (int i = 0; i < 7; i++)
        input[i] = __VERIFIER_nondet_char();
    input[7] = '\0';
    strncpy(name, input, sizeof name);
#ifdef FIXED
    name[3] = '\0';
#endif
    printf("%d: %s\n", 1, name); // error: access out of bounds
    return 0;
}
