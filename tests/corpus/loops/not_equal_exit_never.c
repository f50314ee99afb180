// verdict: unreachable
// classic: unknown  # the loop has no end
//
// An even counter never meets an odd number, however often it wraps around.
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

int main(void) {
    unsigned char n = __VERIFIER_nondet_uchar();
    unsigned char i = 0;
    if (n % 2 == 0)
        return 0;
    while (i != n)
        i += 2;
    reach_error();
    return 0;
}
