// check: overflow
// A product in 64 bits overflows if its factors were widened too late.
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
#ifdef FIXED
    long long product = (long long)a * b;
#else
    long long product = a * b; // error: signed overflow
#endif
    return product == 7;
}
