// verdict: unreachable
// All is known: 2^53 + 1 is halfway, and what follows decides.
#include <errno.h>
#include <stdlib.h>
void reach_error(void) {}

int main(void) {
    char *end;
    if (strtod("9007199254740993", NULL) != 9007199254740992.0)
        reach_error();
    if (strtod("9007199254740993.00000000000000000000000000000000000001", NULL) !=
        9007199254740994.0)
        reach_error();
    errno = 0;
    if (strtod("5e-324x", &end) != 4.9406564584124654e-324 || *end != 'x' || errno != ERANGE)
        reach_error();
    if (strtof("0x1.fffffep127", NULL) != 3.4028234663852886e38f)
        reach_error();
    return 0;
}
