// check: memory
extern int __VERIFIER_nondet_int(void);
static int small[4], large[64];

int main(void) {
    int i = __VERIFIER_nondet_int();
#ifdef FIXED
    if (i < 0 || i > 3)
        return 0;
#else
    if (i < 40 || i > 44)
        return 0;
#endif
    large[i] = 1;
    return small[i]; // error: access out of bounds
}
