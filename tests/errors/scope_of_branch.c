// check: memory, scope
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), none = 0;
    int *smallest = &none;
    if (n < 0) {
        int negated = -n;
        smallest = &negated;
#ifdef FIXED
        if (*smallest == 5)
            return 1;
        smallest = &none;
#endif
    }
    return *smallest == 5; // error: access to a variable that is out of scope
}
