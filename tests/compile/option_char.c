// run: => 1 an assertion fails
// run: -fno-signed-char => 0
// run: -funsigned-char => 0
// run: -funsigned-char -fsigned-char => 1
// Spellings of one option: the sign of char.
#include <assert.h>
int main(void) {
    char c = -1;
    assert(c > 0);
}
