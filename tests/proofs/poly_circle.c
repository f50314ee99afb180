// Points of a hyperbola.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    unsigned x = 1, y = 0;
    while (n > 0) {
        unsigned next = 3 * x + 4 * y;
        y = 2 * x + 3 * y;
        x = next;
        n--;
#ifdef FALSE
        if (!(x * x - 2 * y * y == 1 && x != 99))
#else
        if (!(x * x - 2 * y * y == 1))
#endif
            reach_error();
    }
    return 0;
}
