// verdict: reachable
// inputs: 97, 44, 98
#include <string.h>
extern char __VERIFIER_nondet_char(void);
void reach_error(void) {}

int main(void) {
    char text[4] = {0}, *rest = 0;
    for (int i = 0; i < 3; i++)
        text[i] = __VERIFIER_nondet_char();
    if (!strtok_r(text, ",", &rest))
        return 0;
    char *second = strtok_r(NULL, ",", &rest);
    if (second && second[0] == 'b')
        reach_error();
    return 0;
}
