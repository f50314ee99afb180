// check: memory
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
#ifdef FIXED
    if (n < 1 || n > 9)
        return 1;
#else
    if (n < 0 || n > 9)
        return 1;
#endif
    char line[n]; // error: array on the stack whose size is not positive or too large
    return sizeof line > 9;
}
