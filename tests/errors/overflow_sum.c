// check: overflow
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), sum = 0;
#ifdef FIXED
    if (n > 500000000)
        return 1;
#endif
    for (int i = 0; i < n; i++)
        sum += 3; // error: signed overflow
    return sum == 6;
}
