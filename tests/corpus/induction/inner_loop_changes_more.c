// verdict: reachable
// inputs: 1, 1, 1, 1, 0
// induction: no
// The outer loop comes back unchanged at first; what the inner one changes is known later.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int changed = 0, i = 0;
    while (__VERIFIER_nondet_int()) {
        for (int j = 0; j < n; j++)
            if (i == 2)
                changed = 1;
        if (i < 2)
            i++;
    }
    if (changed)
        reach_error();
    return 0;
}
