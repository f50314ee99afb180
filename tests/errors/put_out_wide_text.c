// check: memory
// A wide text without an end is put out by a wide format.
#include <wchar.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
    wchar_t name[4] = {L'a', L'b', L'c', L'd'};
#ifdef FIXED
    name[3] = 0;
#endif
    wprintf(L"%5d %lc %ls\n", __VERIFIER_nondet_int(), L'c', name); // error: access out of bounds
    return 0;
}
