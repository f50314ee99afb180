// check: memory
// As many calls as an input says.
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned sum(unsigned n) {
    if (n == 0)
        return 0;
    return n + sum(n - 1); // error: stack overflow
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
#ifdef FIXED
    if (n > 1000)
        return 0;
#endif
    return sum(n) == 5050;
}
