// verdict: unreachable
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static int locked, owner;

int main(void) {
    while (1) {
        int command = __VERIFIER_nondet_int();
        if (command == 1 && !locked) {
            locked = 1;
            owner = 7;
        } else if (command == 2 && locked) {
            locked = 0;
            owner = 0;
        } else if (command == 3 && locked != (owner == 7)) {
            reach_error();
        }
    }
}
