// Three counters share a budget, whichever of them grows or pays for another.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a = 0, b = 0, c = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            if (a + b + c < 100)
                a++;
        } else if (__VERIFIER_nondet_int()) {
            if (a + b + c < 100)
                b++;
        } else if (c < 10 && a > 0) {
            a--;
            c++;
        } else if (b > 0) {
            b--;
        }
    }
#ifdef FALSE
    if (!(a + b + c <= 100 && b < 4))
#else
    if (!(a + b + c <= 100 && c <= 10 && b >= 0))
#endif
        reach_error();
    return 0;
}
