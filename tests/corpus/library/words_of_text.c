// verdict: unreachable
// Words hold no delimiter and are not empty.
#include <string.h>
extern char __VERIFIER_nondet_char(void);
void reach_error(void) {}

int main(void) {
    char text[4] = {0};
    for (int i = 0; i < 3; i++)
        text[i] = __VERIFIER_nondet_char();
    for (char *word = strtok(text, " ,"); word; word = strtok(NULL, " ,"))
        if (*word == '\0' || strchr(word, ' ') || strchr(word, ','))
            reach_error();
    return 0;
}
