// check: overflow
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int number = __VERIFIER_nondet_int();
#ifdef FIXED
    long reversed = 0;
#else
    int reversed = 0;
#endif
    while (number != 0) {
        reversed = reversed * 10 + number % 10; // error: signed overflow
        number /= 10;
    }
    return reversed == 12321;
}
