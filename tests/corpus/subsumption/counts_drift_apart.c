// verdict: reachable
// inputs: 8, 8, 8
// Now and then one side counts twice.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static unsigned sent, received;

int main(void) {
    while (1) {
        sent++;
        received++;
        if (__VERIFIER_nondet_int() == 8)
            sent += 1;
        if (sent == received + 3)
            reach_error();
    }
}
