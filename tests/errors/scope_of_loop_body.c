// check: scope
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int outside = 1;
    int *last = &outside;
    for (int i = 0; i < 3; i++) {
        int value = __VERIFIER_nondet_int();
#ifdef FIXED
        outside = value;
#else
        if (value > 0)
            last = &value;
#endif
    }
    *last = 7; // error: access to a variable that is out of scope
    return 0;
}
