// What is taken from one pot goes into another.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a = 100, b = 0, c = 0;
    while (__VERIFIER_nondet_int()) {
        int some = __VERIFIER_nondet_int();
        if (some < 0)
            return 0;
        if (some <= a && __VERIFIER_nondet_int()) {
            a -= some;
            b += some;
        } else if (some <= b) {
            b -= some;
            c += some;
        }
    }
#ifdef FALSE
    if (!(a + b + c == 100 && c <= 99))
#else
    if (!(a + b + c == 100 && a >= 0 && b >= 0 && c >= 0))
#endif
        reach_error();
    return 0;
}
