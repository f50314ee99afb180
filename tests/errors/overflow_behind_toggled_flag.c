// check: overflow
// work: 15 s
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), odd = 0;
#ifdef FIXED
    for (int i = 0; i < n; i++)
#else
    for (int i = 0; i <= n; i++) // error: signed overflow
#endif
        odd ^= 1;
    return odd;
}
