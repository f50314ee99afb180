// A function that takes its own results apart and together again.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int same(int x) {
    if (x == 0)
        return 0;
    return same(same(x - 1)) + 1;
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 0)
        return 0;
    int y = same(x);
#ifdef FALSE
    if (!(y == x && x != 5))
#else
    if (!(y == x))
#endif
        reach_error();
    return 0;
}
