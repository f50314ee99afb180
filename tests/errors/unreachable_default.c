// check: unreachable
extern unsigned __VERIFIER_nondet_uint(void);

static int days(unsigned quarter) {
    switch (quarter) {
    case 0: return 90;
    case 1: return 91;
    case 2:
    case 3: return 92;
    default: __builtin_unreachable(); // error: code marked as unreachable
    }
}

int main(void) {
    unsigned month = __VERIFIER_nondet_uint();
#ifdef FIXED
    if (month >= 12)
#else
    if (month > 12)
#endif
        return 1;
    return days(month / 3) < 90;
}
