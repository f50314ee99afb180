// verdict: unreachable
//
// The complement is taken of an int, whose upper half it sets.
extern unsigned short __VERIFIER_nondet_ushort(void);
void reach_error(void) {}

int main(void) {
    unsigned short s = __VERIFIER_nondet_ushort();
    if (~s >= 0)
        reach_error();
    return 0;
}
