// A lock is free behind the loop: it ends only where nothing was written since it was taken.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int held = 0, written = __VERIFIER_nondet_int(), seen;
    do {
        held = 1;
        seen = written;
        if (__VERIFIER_nondet_int()) {
            held = 0;
            written++;
        }
    } while (seen != written);
#ifdef FALSE
    if (!(held == 1 && seen != 7))
#else
    if (!(held == 1))
#endif
        reach_error();
    return 0;
}
