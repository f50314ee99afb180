// check: uninitialised
extern int __VERIFIER_nondet_int(void);

static int limit(int kind) {
    int limit;
    if (kind > 10)
        limit = 100;
    else if (kind >= 0)
        limit = 5;
#ifdef FIXED
    else
        limit = 0;
#endif
    return limit; // error: use of an uninitialised value
}

int main(void) {
    int kind = __VERIFIER_nondet_int();
    if (limit(kind) > 50)
        return 1;
    return 0;
}
