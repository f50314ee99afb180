// What is armed has been counted.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int armed = 0, n = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            n++;
            armed = 1;
        } else if (n == 1) {
            n = 0;
            armed = 0;
        }
    }
#ifdef FALSE
    if (!(!armed || n >= 2))
#else
    if (!(!armed || n >= 1))
#endif
        reach_error();
    return 0;
}
