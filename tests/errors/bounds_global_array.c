// check: memory
extern int __VERIFIER_nondet_int(void);
static int table[8];

int main(void) {
    int i = __VERIFIER_nondet_int();
#ifdef FIXED
    if (i < 0 || i >= 8)
#else
    if (i < 0 || i > 8)
#endif
        return 1;
    table[i] = 1; // error: access out of bounds
    return 0;
}
