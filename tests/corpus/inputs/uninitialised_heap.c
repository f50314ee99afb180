// verdict: reachable
// inputs: unchecked  # the value comes from memory that was never written
#include <stdlib.h>
void reach_error(void) {}

int main(void) {
    unsigned char *block = malloc(3);
    if (block == NULL)
        return 0;
    if (block[0] == 1 && block[1] == 2 && block[2] == 3)
        reach_error();
    return 0;
}
