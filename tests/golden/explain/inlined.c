// Lines of loops are those of the source, also where other lines are inlined into them.
extern unsigned __VERIFIER_nondet_uint(void);

static int is_below(unsigned i, unsigned n) {
    return i < n;
}

static unsigned next(unsigned i) {
    return i + 1;
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned i = 0, turns = 0;
    while (is_below(i, n)) {
        i = next(i);
    }
    do
        turns = next(turns);
    while (is_below(turns, n));
    return i == turns;
}
