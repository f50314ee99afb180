// A long loop comes first, and then two that take turns, told by a number's parity.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int x = 0, y = 50;
    while (x < 100) {
        if (x >= 50)
            y = y + 1;
        x = x + 1;
    }
    int w = 1, z = 0, u = 0;
    while (__VERIFIER_nondet_int()) {
        if (w % 2 == 1)
            z++;
        else
            u++;
        w++;
    }
#ifdef FALSE
    if (!(z == u || z == u + 1 && w < 20))
#else
    if (!(z == u || z == u + 1))
#endif
        reach_error();
    return 0;
}
