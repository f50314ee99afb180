// verdict: unreachable
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

struct flags {
    unsigned low : 3;
    int middle : 5;
    unsigned high : 24;
};

int main(void) {
    struct flags flags = {0, 0, 0};
    int x = __VERIFIER_nondet_int();
    flags.high = 0xabcdef;
    flags.low = (unsigned)x & 7;
    flags.middle = x;
    if (flags.low > 7 || flags.middle > 15 || flags.middle < -16 || flags.high != 0xabcdef)
        reach_error();
    return 0;
}
