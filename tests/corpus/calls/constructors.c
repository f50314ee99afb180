// verdict: reachable
// inputs: 5
// Constructors run before main, those with the smaller priority first.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

static int trace, limit;

__attribute__((constructor)) static void last(void) { trace = 10 * trace + 3; }
__attribute__((constructor(202))) static void second(void) { trace = 10 * trace + 2; }
__attribute__((constructor(201))) static void first(void) {
    trace = 10 * trace + 1;
    limit = 7;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (trace == 123 && n > 4 && n < limit)
        reach_error();
    return 0;
}
