// run: => 1 constant
// run: -fwritable-strings => 0
// Texts that a program may change.
#include <assert.h>
int main(void) {
    char *text = "abc";
    text[0] = 'x';
    assert(text[0] == 'x');
}
