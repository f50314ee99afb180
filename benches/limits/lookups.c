// Eight symbolic bytes through tables of tables: what is looked up is where to look next.
unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

static unsigned short tables[64][256];

int main(void) {
    unsigned seed = 1;
    for (int t = 0; t < 64; t++)
        for (int i = 0; i < 256; i++) {
            seed = seed * 1103515245u + 12345u;
            tables[t][i] = (unsigned short)(seed >> 16);
        }
    unsigned at = 0;
    for (int n = 0; n < 8; n++) {
        unsigned char byte = __VERIFIER_nondet_uchar();
        for (int k = 0; k < 12; k++)
            at = tables[at % 64][(byte + at / 64 + k) % 256];
    }
    if (at == 4711)
        reach_error();
    return 0;
}
