// A CRC-32 table made by a loop, concrete checksums of a buffer by it, then one of symbolic data.
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

#define N 20000
static unsigned table[256];
static unsigned char data[N];

static unsigned crc(const unsigned char *bytes, unsigned n) {
    unsigned sum = 0xffffffffu;
    for (unsigned i = 0; i < n; i++)
        sum = table[(sum ^ bytes[i]) & 0xff] ^ (sum >> 8);
    return ~sum;
}

int main(void) {
    for (unsigned i = 0; i < 256; i++) {
        unsigned sum = i;
        for (int bit = 0; bit < 8; bit++)
            sum = sum & 1 ? 0xedb88320u ^ (sum >> 1) : sum >> 1;
        table[i] = sum;
    }
    for (unsigned i = 0; i < N; i++)
        data[i] = (unsigned char)(i * i >> 3);
    if (crc(data, N) != crc(data, N))
        reach_error();
    unsigned char last = __VERIFIER_nondet_uchar() & 3;
    if (crc(&last, 1) == 0)
        reach_error();
    return 0;
}
