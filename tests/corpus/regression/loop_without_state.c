// verdict: reachable
// inputs: 5, 7, 40
//
// Nothing that matters changes from iteration to iteration, so that the path counter has a single bit; the
// quantifier over it was refused by Z3.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    for (;;) {
        int x = __VERIFIER_nondet_int();
        if (x == 40)
            break;
        if (x < 0)
            return 0;
    }
    reach_error();
    return 0;
}
