// verdict: reachable
// inputs: 12
//
// Frames with objects of their own are not folded.
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

static unsigned chain(unsigned n, unsigned *above) {
    unsigned own = n;
    if (n > 20)
        return 0;
    *above += 1;
    if (n == 0)
        return *above;
    unsigned result = chain(n - 1, &own);
    return result + own;
}

int main(void) {
    unsigned top = 0;
    unsigned n = __VERIFIER_nondet_uint();
    if (chain(n, &top) == 92)
        reach_error();
    return 0;
}
