// library: lua5.4
// sources: src/lobject.c src/lctype.c
// options: -Isrc
// verdict: reachable
// Which four characters are the integer -31 in Lua?
#include "compact_se.h"
#include "lua.h"
#include "lobject.h"
void reach_error(void);

int main(void) {
    char text[5];
    TValue value;
    compact_se_make_symbolic(text, 4, "text");
    text[4] = 0;
    if (luaO_str2num(text, &value) && ttisinteger(&value) && ivalue(&value) == -31)
        reach_error();
    return 0;
}
