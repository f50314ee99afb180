// verdict: reachable
// inputs: 200, 100
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

int main(void) {
    unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
    unsigned char sum = (unsigned char)(a + b);
    if (sum < a && sum == 44)
        reach_error();
    return 0;
}
