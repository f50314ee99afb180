// verdict: reachable
// inputs: 9223372036854775807
extern long __VERIFIER_nondet_long(void);
void reach_error(void) {}

int main(void) {
    long x = __VERIFIER_nondet_long();
    if (x > 0 && x * 2 == -2)
        reach_error();
    return 0;
}
