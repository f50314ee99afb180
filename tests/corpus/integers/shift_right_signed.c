// verdict: unreachable
//
// The right shift of a signed number copies the sign bit.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int x = __VERIFIER_nondet_int();
    int sign = x >> 31;
    if (sign != 0 && sign != -1)
        reach_error();
    return 0;
}
