// check: memory
// A message for people is read up to its end.
#include <err.h>
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char answer[3];
    for (int i = 0; i < 3; i++)
        answer[i] = __VERIFIER_nondet_char();
#ifdef FIXED
    answer[2] = '\0';
#endif
    warnx("no such answer: %s", answer); // error: access out of bounds
    return 0;
}
