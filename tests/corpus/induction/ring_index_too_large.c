// verdict: reachable
// inputs: 1, 1, 1, 1, 1, 1, 1, 0
// induction: no
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) {}

int main(void) {
    int ring[8];
    int at = 0;
    while (__VERIFIER_nondet_bool()) {
        ring[at] = at;
        at++;
        if (at == 8)
            at = 0;
    }
    if (at < 0 || at > 6)
        reach_error();
    return 0;
}
