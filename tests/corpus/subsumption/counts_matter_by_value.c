// verdict: reachable
// inputs: 0, 0, 0, 0, 0, 1
// The counts are asked for equality, and one of them for more.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static unsigned sent, received;

int main(void) {
    while (1) {
        sent++;
        received++;
        if (sent != received)
            return 0;
        if (__VERIFIER_nondet_int() && received == 6)
            reach_error();
    }
}
