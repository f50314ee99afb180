// verdict: unreachable
// Variables with constructors, before main and at the first call, and references to them.
extern "C" int __VERIFIER_nondet_int();
extern "C" void reach_error() {}

static int n_made;
struct Made {
    int number;
    Made() : number(++n_made) {}
};
static Made before;
static Made &same = before;

static Made &at_first_call() {
    static Made made;
    return made;
}

int main() {
    if (n_made != 1 || same.number != 1)
        reach_error();
    if (__VERIFIER_nondet_int() > 0)
        at_first_call().number += 10;
    at_first_call();
    if (n_made != 2 || (at_first_call().number != 2 && at_first_call().number != 12))
        reach_error();
    return 0;
}
