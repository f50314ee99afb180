// verdict: unreachable
//
// Conversion to _Bool asks whether the number is 0; it does not cut off bits.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int x = __VERIFIER_nondet_int();
    _Bool b = x;
    if ((int)b > 1 || b != (x != 0))
        reach_error();
    return 0;
}
