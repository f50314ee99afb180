// run: => 1
// run: -fpack-struct=1 -fshort-wchar -fshort-enums => 0
// run: -fpack-struct -fshort-wchar -fshort-enums => 0
// Options of layout: packed structures, short characters and enumerations.
#include <assert.h>
struct record {
    char c;
    int x;
};
enum small { ZERO, ONE };
int main(void) { assert(sizeof(struct record) == 5 && sizeof L'a' == 2 && sizeof(enum small) == 1); }
