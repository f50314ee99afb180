// verdict: reachable
// inputs: 49, 50, 51, 52, 53, 54, 55, 56, 57, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57
//
// A number of 19 digits is read from a text; which ones, follows from the number.
#include <stdlib.h>
extern char __VERIFIER_nondet_char(void);
void reach_error(void) {}

int main(void) {
    char text[20];
    for (int i = 0; i < 19; i++) {
        text[i] = __VERIFIER_nondet_char();
        if (text[i] < '0' || text[i] > '9')
            return 0;
    }
    text[19] = '\0';
    if (strtoull(text, NULL, 10) * 2 == 2469135780246913578)
        reach_error();
    return 0;
}
