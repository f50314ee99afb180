// Both paths of the loop keep a proportion.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = 0, y = 0;
    while (__VERIFIER_nondet_int())
        if (__VERIFIER_nondet_int()) {
            x += 2;
            y += 3;
        } else {
            x -= 4;
            y -= 6;
        }
#ifdef FALSE
    if (!(3 * x == 2 * y && x != 2))
#else
    if (!(3 * x == 2 * y))
#endif
        reach_error();
    return 0;
}
