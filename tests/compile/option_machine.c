// run: => 1
// run: -m32 -malign-double => 0
// run: -m32 => 1
// run: -m32 --data-model LP64 => 2 does not fit the data model LP64
// run: -mx32 => 2 -mx32 is not supported
// run: -march=haswell -mtune=native -mno-red-zone -DHAVE_AVX => 0
// Options of the machine: sizes, alignment and what headers know of the processor.
#include <assert.h>
#include <stddef.h>
struct pair {
    char c;
    long long wide;
};
int main(void) {
#ifdef HAVE_AVX
    assert(sizeof(long) == 8 && __AVX2__);
#else
    assert(sizeof(long) == 4 && offsetof(struct pair, wide) == 8);
#endif
}
