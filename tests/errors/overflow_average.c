// check: overflow
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
    if (low < 0 || high < low)
        return 1;
#ifdef FIXED
    int middle = low + (high - low) / 2;
#else
    int middle = (low + high) / 2; // error: signed overflow
#endif
    return middle < low;
}
