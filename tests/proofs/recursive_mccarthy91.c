// McCarthy's function: a call in the argument of a call.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int f(int n) {
    if (n > 100)
        return n - 10;
    return f(f(n + 11));
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = f(x);
#ifdef FALSE
    if (!(x > 100 ? y == x - 10 : y == 91 && x != 95))
#else
    if (!(x > 101 ? y == x - 10 : y == 91))
#endif
        reach_error();
    return 0;
}
