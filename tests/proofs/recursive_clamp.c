// Recursion that ends from both sides.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int clamp(int x) {
    if (x > 10)
        return clamp(x - 1);
    if (x < 0)
        return clamp(x + 1);
    return x;
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = clamp(x);
#ifdef FALSE
    if (!(y >= 0 && y < 10))
#else
    if (!(y >= 0 && y <= 10))
#endif
        reach_error();
    return 0;
}
