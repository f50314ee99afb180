// run: => 2 redefinition of a 'extern inline' function
// run: -fgnu89-inline => 0
// run: -std=gnu89 => 0
// run: -fgnu89-inline -fblocks -fdeclspec -fno-asm -fms-extensions -ftrivial-auto-var-init=zero => 0
// run: -fgnu89-inline -fno-such-option => 2 drop the option if the program has the same meaning without it
// Options of the language; clang refuses those that it does not know.
#include <assert.h>
extern inline int f(void) { return 1; }
int f(void) { return 2; }
int main(void) {
#ifdef __BLOCKS__
    int asm = 2, zeroed;
    assert(zeroed == 0 && f() == asm);
#endif
    assert(f() == 2);
}
