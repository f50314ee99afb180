// verdict: reachable
// inputs: unchecked  # more than 256 of them
// compact: unknown  # the path counter numbers 256 iterations
// classic: unknown  # more than 256 iterations
// An index that wraps around writes cells that fewer iterations leave as they were.
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

unsigned char cells[256];

int main(void) {
    unsigned char i = 0;
    do {
        cells[i] = 7;
        i++;
    } while (__VERIFIER_nondet_uchar() != 0);
    if (cells[255] == 7 && i == 3)
        reach_error();
    return 0;
}
