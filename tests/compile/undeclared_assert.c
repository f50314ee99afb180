// run: => 0 calls assert without <assert.h>
// run: -DERROR => 1 an assertion fails
// run: -DSTATIC => 2 include <assert.h>, or write _Static_assert
// Macros of <assert.h> in a program that does not include it.
int main(void) {
    unsigned char c;
    assert(c < 256);
#ifdef ERROR
    assert(c < 255);
#endif
#ifdef STATIC
    static_assert(1 == 0);
#endif
    return 0;
}
