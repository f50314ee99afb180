// verdict: reachable
// inputs: 1, 1, 1, 1, 1
// induction: no
// k-induction: no
// Over the integers the number grows; in a byte it comes around.
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) {}

int main(void) {
    signed char tested = 0, next = 0;
    while (__VERIFIER_nondet_bool()) {
        if (tested < 0)
            reach_error();
        tested = next;
        next += 50;
    }
    return 0;
}
