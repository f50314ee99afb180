// verdict: reachable
// inputs: 11
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static int next(void) {
    static int count = 40;
    return ++count;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 0)
        next();
    if (n > 10)
        next();
    if (next() == 43)
        reach_error();
    return 0;
}
