// verdict: reachable
// inputs: 50, 1
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static int touched;

int main(void) {
    int x = __VERIFIER_nondet_int();
    // The state with x < 10 comes to the loop first; it does not cover the other.
    if (x >= 10) {
        touched = 1;
        while (touched < 4)
            touched++;
    }
    touched = 0;
    while (1) {
        int command = __VERIFIER_nondet_int();
        if (command == 1) {
            if (x == 50)
                reach_error();
            return touched;
        }
    }
}
