// verdict: unreachable
// induction: proved
// compact: unknown  # the iterations write a ring
// That the index stays in the ring has to be guessed: at the check nothing else says so.
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) {}

int main(void) {
    int ring[7];
    int at = 0;
    while (__VERIFIER_nondet_bool()) {
        ring[at] = at;
        at++;
        if (at == 7)
            at = 0;
    }
    if (at < 0 || at > 6)
        reach_error();
    return 0;
}
