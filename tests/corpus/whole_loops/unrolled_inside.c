// verdict: reachable
// inputs: unchecked  # the text is not read by the hook
// classic: unknown  # a text of any length
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0)
        return 0;
    char *text = malloc((unsigned long)n);
    int found = -1;
    for (int i = 0; i + 3 <= n; i++) {
        int j = 0;
        while (j < 3 && text[i + j] == 'a' + j)
            j++;
        if (j == 3) {
            found = i;
            break;
        }
    }
    if (found == 11)
        reach_error();
    return 0;
}
