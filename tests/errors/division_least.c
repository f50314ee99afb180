// check: division
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int balance = __VERIFIER_nondet_int(), sign = __VERIFIER_nondet_int();
    if (sign == 0)
        return 1;
#ifdef FIXED
    if (balance < -1000000)
        return 1;
#endif
    return balance / sign == 12; // error: overflow in a division
}
