// verdict: reachable
// inputs: 2, 1
//
// The same, and the error needs the write at the unknown index.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int a[8] = {0};
    unsigned i = (unsigned)__VERIFIER_nondet_int() % 8;
    if (__VERIFIER_nondet_int())
        a[i] = 5;
    else
        a[3] = 5;
    if (a[2] == 5)
        reach_error();
    return 0;
}
