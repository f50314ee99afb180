// A key schedule as in RC4: 256 swaps at symbolic places, then the stream.
unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

static unsigned char s[256];

int main(void) {
    unsigned char key[16];
    for (int i = 0; i < 16; i++)
        key[i] = __VERIFIER_nondet_uchar();
    for (int i = 0; i < 256; i++)
        s[i] = (unsigned char)i;
    unsigned char j = 0;
    for (int i = 0; i < 256; i++) {
        j = (unsigned char)(j + s[i] + key[i % 16]);
        unsigned char swapped = s[i];
        s[i] = s[j];
        s[j] = swapped;
    }
    unsigned char a = 0, b = 0, sum = 0;
    for (int n = 0; n < 64; n++) {
        a++;
        b = (unsigned char)(b + s[a]);
        unsigned char swapped = s[a];
        s[a] = s[b];
        s[b] = swapped;
        sum ^= s[(unsigned char)(s[a] + s[b])];
    }
    if (sum == 42 && s[0] == 7)
        reach_error();
    return 0;
}
