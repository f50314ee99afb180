// verdict: unreachable
//
// The product of two ints fits into 64 bits; a square is not negative.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int x = __VERIFIER_nondet_int();
    long long square = (long long)x * x;
    if (square < 0)
        reach_error();
    return 0;
}
