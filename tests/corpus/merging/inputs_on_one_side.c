// verdict: reachable
// inputs: 0, 4, 1, 30, 200, 12
//
// The sides read different numbers of inputs, and the witness is one run.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int sum = 0;
    if (__VERIFIER_nondet_int())
        sum += __VERIFIER_nondet_int() & 1;
    else
        sum += 2;
    int x = __VERIFIER_nondet_int();
    if (__VERIFIER_nondet_int()) {
        sum += __VERIFIER_nondet_int();
        sum += __VERIFIER_nondet_int();
    }
    int y = __VERIFIER_nondet_int();
    if (sum == 232 && x == 4 && y == 12)
        reach_error();
    return 0;
}
