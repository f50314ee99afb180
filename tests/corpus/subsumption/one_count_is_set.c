// verdict: reachable
// inputs: 0, 0, 0, 0, 3
// A difference is worth nothing where one of the two is set to a constant.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static unsigned sent, received;

int main(void) {
    while (1) {
        sent++;
        received++;
        if (__VERIFIER_nondet_int() == 3)
            received = 9;
        if (sent != received && sent + 4 == received)
            reach_error();
    }
}
