// check: shift
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 1000)
        return 1;
#ifdef FIXED
    if (n < 0)
        return 1;
#endif
    return (n << 4) == 48; // error: shift that C does not define
}
