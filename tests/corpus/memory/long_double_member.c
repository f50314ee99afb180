// verdict: unreachable
//
// Globals with members of type long double: all members are what they are initialised with.
typedef struct {
    char c;
    long double d;
    int i;
} mixed;
static mixed one = {'a', 2.5L, 3}, many[2] = {{'b', -0.1L, 4}, {'c', 0, 5}};
static long double half = 0.5L;
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

int main(void) {
    const unsigned char *bytes = (const unsigned char *)&one.d;
    unsigned char which = __VERIFIER_nondet_uchar() & 1;
    one.d = half;
    if (one.c != 'a' || one.i != 3 || many[which].c != 'b' + which || many[which].i != 4 + which)
        reach_error();
    // 2^-1: sign and exponent 0x3ffe, mantissa 1.
    if (bytes[9] != 0x3f || bytes[8] != 0xfe || bytes[7] != 0x80 || bytes[0] != 0)
        reach_error();
    one.d = -3.0L;
    return bytes[9] == 0xc0 && bytes[7] == 0xc0 ? 0 : (reach_error(), 1);
}
