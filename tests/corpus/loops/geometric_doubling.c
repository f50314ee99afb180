// verdict: unreachable
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 2147483648u)
        return 0;
    unsigned power = 1;
    while (power < n)
        power *= 2;
    if ((power & (power - 1)) != 0 || power < n)
        reach_error();
    return 0;
}
