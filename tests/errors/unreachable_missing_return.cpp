// check: unreachable
extern "C" int __VERIFIER_nondet_int();

static int sign(int x) { // error: end of a function without the value that it must return
    if (x > 0)
        return 1;
#ifdef FIXED
    return x < 0 ? -1 : 0;
#else
    if (x < 0)
        return -1;
#endif
}

int main() { return sign(__VERIFIER_nondet_int()) > 1; }
