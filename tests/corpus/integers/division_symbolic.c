// verdict: unreachable
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

int main(void) {
    unsigned char x = __VERIFIER_nondet_uchar(), y = __VERIFIER_nondet_uchar();
    if (y == 0)
        return 0;
    if (x / y > x || x % y >= y)
        reach_error();
    return 0;
}
