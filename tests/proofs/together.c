// Two variables move together, in one of two ways each time.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = 0, y = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            x += 1;
            y += 2;
        } else {
            x += 3;
            y += 6;
        }
    }
#ifdef FALSE
    if (!(y == 2 * x && x != 7))
#else
    if (!(y == 2 * x))
#endif
        reach_error();
    return 0;
}
