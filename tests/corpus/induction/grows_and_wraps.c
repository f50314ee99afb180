// verdict: reachable
// inputs: 1, 1, 1, 0
// induction: no
// In each iteration but one the counter is at least what it was at first.
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) {}

int main(void) {
    signed char counter = 0;
    while (__VERIFIER_nondet_bool())
        counter += 50;
    if (counter < 0)
        reach_error();
    return 0;
}
