// verdict: unreachable
//
// Memory that was never written holds arbitrary values, but holds them.
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned char array[4];
    unsigned i = __VERIFIER_nondet_uint();
    if (i >= 4)
        return 0;
    unsigned char first = array[i], second = array[i];
    if (first != second)
        reach_error();
    return 0;
}
