// verdict: reachable
// inputs: 131
// An index that is extended to an address comes back to its first cell before its counter does.
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

unsigned char cells[256];

int main(void) {
    unsigned char n = __VERIFIER_nondet_uchar();
    unsigned char i = 0;
    unsigned char j = 0;
    if (n <= 130)
        return 0;
    while (j != n) {
        cells[i] = j;
        i += 2;
        j++;
    }
    // Written by iteration 0 and by iteration 128.
    if (cells[0] == 128)
        reach_error();
    return 0;
}
