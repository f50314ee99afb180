// verdict: reachable
// inputs: -2147483648
//
// The smallest int is its own negation.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = x < 0 ? -x : x > 100 ? x / 2 : x;
    if (y < 0)
        reach_error();
    return 0;
}
