// verdict: reachable
// inputs: 100
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 1000)
        return 0;
    unsigned power = 1;
    while (power < n)
        power *= 3;
    if (power == 243)
        reach_error();
    return 0;
}
