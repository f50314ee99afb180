// A counter starts again before it comes to seven.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int c = 0, rounds = 0;
    while (__VERIFIER_nondet_int()) {
        c++;
        if (c == 7) {
            c = 0;
            rounds++;
        }
    }
#ifdef FALSE
    if (!(c < 6))
#else
    if (!(c >= 0 && c < 7 && rounds >= 0))
#endif
        reach_error();
    return 0;
}
