// check: unsigned-overflow
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned used = __VERIFIER_nondet_uint(), more = __VERIFIER_nondet_uint();
#ifdef FIXED
    if (used > 4096 || more > 4096 - used)
#else
    if (used > 4096)
#endif
        return 1;
    return used + more > 4096; // error: unsigned overflow
}
