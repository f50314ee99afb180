// verdict: unreachable
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int kept = __VERIFIER_nondet_int(), last = kept;
    // The values are new in each iteration; that they are equal is not.
    while (1) {
        int command = __VERIFIER_nondet_int();
        if (command == 1) {
            kept = __VERIFIER_nondet_int();
            last = kept;
        } else if (command == 2 && kept != last) {
            reach_error();
        }
    }
}
