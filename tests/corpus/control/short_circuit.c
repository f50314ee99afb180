// verdict: unreachable
//
// Exactly one of the right operands is evaluated.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int x = __VERIFIER_nondet_int(), calls = 0;
    int both = x > 0 && ++calls > 0;
    int either = x > 0 || ++calls > 0;
    if (calls != 1 || either != 1 || both != (x > 0))
        reach_error();
    return 0;
}
