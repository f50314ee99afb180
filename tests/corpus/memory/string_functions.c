// verdict: reachable
// inputs: 99, 97, 116, 0
#include <string.h>
extern char __VERIFIER_nondet_char(void);
void reach_error(void) {}

int main(void) {
    char word[5];
    for (int i = 0; i < 4; i++)
        word[i] = __VERIFIER_nondet_char();
    word[4] = 0;
    if (strlen(word) == 3 && strcmp(word, "cat") == 0 && strchr(word, 't') == word + 2)
        reach_error();
    return 0;
}
