// verdict: unreachable
//
// x86 is little-endian.
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    unsigned char *bytes = (unsigned char *)&x;
    unsigned before = x;
    unsigned char low = bytes[0];
    bytes[0] = bytes[3];
    bytes[3] = low;
    if ((before & 0x00ffff00) != (x & 0x00ffff00) || x >> 24 != (before & 255))
        reach_error();
    return 0;
}
