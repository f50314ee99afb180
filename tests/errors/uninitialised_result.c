// check: uninitialised
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int result;
    switch (__VERIFIER_nondet_int()) {
    case 0: result = 0; break;
    case 1: result = 4; break;
#ifdef FIXED
    default: result = 2;
#endif
    }
    return result; // error: use of an uninitialised value
}
