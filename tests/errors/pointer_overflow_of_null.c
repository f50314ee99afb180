// check: pointer-overflow
extern int __VERIFIER_nondet_int(void);

static char text[8];

int main(void) {
    int n = __VERIFIER_nondet_int();
    char *begin = n > 0 ? text : 0;
#ifdef FIXED
    if (n <= 0)
        return 1;
#endif
    char *end = begin + 8; // error: overflow of a pointer, or an offset from null
    return end == text;
}
