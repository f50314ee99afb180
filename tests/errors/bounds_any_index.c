// check: memory
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    int table[10];
    unsigned where = __VERIFIER_nondet_uint();
#ifdef FIXED
    where %= 10;
#endif
    table[where] = 1; // error: access out of bounds
    return 0;
}
