// verdict: unreachable
//
// One side writes at an index that nobody knows, the other at a constant one.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int a[8] = {0};
    unsigned i = (unsigned)__VERIFIER_nondet_int() % 8;
    int side = __VERIFIER_nondet_int();
    if (side)
        a[i] = 5;
    else
        a[3] = 6;
    unsigned j = (unsigned)__VERIFIER_nondet_int() % 8;
    if (side && a[j] != (j == i ? 5 : 0))
        reach_error();
    if (!side && a[j] != (j == 3 ? 6 : 0))
        reach_error();
    return 0;
}
