// check: uninitialised
extern int __VERIFIER_nondet_int(void);
static int table[8];

int main(void) {
    int found;
    for (int i = 0; i < 8; i++) {
        table[i] = __VERIFIER_nondet_int();
        if (table[i] == 77)
            found = i;
    }
#ifdef FIXED
    found = 0;
#endif
    table[found & 7] = 1; // error: use of an uninitialised value
    return 0;
}
