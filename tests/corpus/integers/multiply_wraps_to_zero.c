// verdict: reachable
// inputs: 65536
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    if (x != 0 && x * x == 0)
        reach_error();
    return 0;
}
