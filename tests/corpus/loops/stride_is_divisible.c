// verdict: unreachable
// classic: unknown  # one path for each value of the bound
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned i = 0, s = 3;
    while (i < n) {
        i++;
        s += 6;
    }
    if (s % 2 == 0)
        reach_error();
    return 0;
}
