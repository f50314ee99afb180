// check: memory
// A message for people is read up to its end.
#include <err.h>
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
    warnx("%d: no file %s", 1, name); // error: access out of bounds
    return 0;
}
