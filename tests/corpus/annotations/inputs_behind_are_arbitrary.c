// verdict: reachable
// inputs: 1, 6
// The first path reads 0 where another reads 6: what it needed has to hold whatever is read.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int step = __VERIFIER_nondet_int() ? 1 : 2;
    int read = __VERIFIER_nondet_int();
    if (step == 1 && read == 6)
        reach_error();
    return 0;
}
