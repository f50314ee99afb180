// Two numbers change places.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a = 0, b = 1;
    while (__VERIFIER_nondet_int()) {
        int kept = a;
        a = b;
        b = kept;
    }
#ifdef FALSE
    if (!(a + b == 1 && a == 0))
#else
    if (!(a + b == 1))
#endif
        reach_error();
    return 0;
}
