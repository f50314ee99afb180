// verdict: unreachable
//
// Division truncates towards zero; the remainder has the sign of the dividend.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x / 8 * 8 + x % 8 != x)
        reach_error();
    return 0;
}
