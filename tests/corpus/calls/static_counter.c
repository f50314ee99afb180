// verdict: reachable
// inputs: 1
// The counter is main's alone once everything is inlined, and still lives from call to call.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static int next(void) {
    static int counter = 40;
    return ++counter;
}

int main(void) {
    if (__VERIFIER_nondet_int())
        next();
    if (next() == 42)
        reach_error();
    return 0;
}
