// check: overflow
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (b == 0)
        return 1;
#ifdef FIXED
    if (b == -1)
        return 1;
#endif
    return a / b == 7; // error: overflow in a division
}
