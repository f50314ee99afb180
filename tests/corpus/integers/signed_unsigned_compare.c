// verdict: unreachable
//
// A negative int is at least 2^31 as unsigned.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 0 && (unsigned)x < 2147483648u)
        reach_error();
    return 0;
}
