// check: memory
extern char __VERIFIER_nondet_char(void);
static int table[256];

int main(void) {
    char c = __VERIFIER_nondet_char();
#ifdef FIXED
    return table[(unsigned char)c];
#else
    return table[(int)c]; // error: access out of bounds
#endif
}
