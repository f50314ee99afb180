// verdict: unreachable
extern signed char __VERIFIER_nondet_schar(void);
void reach_error(void) {}

int main(void) {
    signed char c = __VERIFIER_nondet_schar();
    int wide = c;
    unsigned char bits = (unsigned char)c;
    if (wide < -128 || wide > 127 || (wide < 0 && bits < 128))
        reach_error();
    return 0;
}
