// verdict: reachable
// inputs: 22
// A counter is reset after three steps: the period follows from its bounds.
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned j = 0;
    unsigned c = 0;
    for (unsigned i = 0; i < n; i++) {
        if (j < 3) {
            j++;
        } else {
            j = 0;
            c++;
        }
    }
    if (c == 5 && j == 2)
        reach_error();
    return 0;
}
