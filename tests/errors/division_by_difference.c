// check: division
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int from = __VERIFIER_nondet_int(), to = __VERIFIER_nondet_int();
    if (from < 0 || to < from || to > 1000)
        return 1;
#ifdef FIXED
    if (to == from)
        return 1;
#endif
    return 1000 / (to - from) > 1000; // error: division by zero
}
