// check: uninitialised
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned char message[6];
    unsigned n = __VERIFIER_nondet_uint() % 7;
    for (unsigned i = 0; i < n; i++)
        message[i] = (unsigned char)(i * 3);
#ifdef FIXED
    if (n < 6)
        return 0;
#endif
    if (message[5] == 15) // error: use of an uninitialised value
        return 1;
    return 0;
}
