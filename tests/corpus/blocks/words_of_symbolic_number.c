// verdict: unreachable
#include <stdlib.h>
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

int main(void) {
    unsigned n = 1 + __VERIFIER_nondet_uchar() % 8;
    int *words = malloc(n * sizeof *words), copy[8] = {0};
    memset(words, 0, n * sizeof *words);
    words[n - 1] = 7;
    memcpy(copy, words, n * sizeof *words);
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum += copy[i];
    if (sum != 7)
        reach_error();
    return 0;
}
