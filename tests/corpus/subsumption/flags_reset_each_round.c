// verdict: unreachable
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static int event, handled;

int main(void) {
    unsigned iterations = __VERIFIER_nondet_uint();
    for (unsigned i = 0; i < iterations; i++) {
        event = __VERIFIER_nondet_int() != 0;
        unsigned tries = __VERIFIER_nondet_uint();
        for (unsigned j = 0; j < tries; j++)
            if (event && __VERIFIER_nondet_int())
                handled = 1;
        if (handled && !event)
            reach_error();
        event = 0;
        handled = 0;
    }
    return 0;
}
