// A buffer holds what was produced and not consumed.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int produced = 0, consumed = 0, held = 0;
    while (__VERIFIER_nondet_int()) {
        if (held < 8 && __VERIFIER_nondet_int()) {
            produced++;
            held++;
        } else if (held > 0) {
            consumed++;
            held--;
        }
    }
#ifdef FALSE
    if (!(held < 4))
#else
    if (!(produced - consumed == held && held <= 8))
#endif
        reach_error();
    return 0;
}
