// check: uninitialised
extern int __VERIFIER_nondet_int(void);

static int seen;

static int level(int code) {
    int level;
    if (code > 0)
        level = code % 8;
#ifdef FIXED
    else
        level = 0;
#endif
    return level; // error: use of an uninitialised value
}

int main(void) {
    seen = level(__VERIFIER_nondet_int());
    return 0;
}
