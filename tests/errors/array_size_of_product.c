// check: memory
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned long rows = __VERIFIER_nondet_uint(), columns = 0x100000000;
#ifdef FIXED
    rows = rows % 7 + 1, columns = 3;
#endif
    if (rows == 0)
        return 0;
    char table[rows * 2][columns][4]; // error: array on the stack whose size is not positive or too large
    return sizeof table < 4;
}
