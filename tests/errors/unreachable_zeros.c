// check: unreachable
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned set = __VERIFIER_nondet_uint();
#ifdef FIXED
    if (set == 0)
        return -1;
#endif
    return __builtin_ctz(set); // error: count of leading or trailing zeros of zero
}
