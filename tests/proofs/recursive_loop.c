// A recursive call in a loop.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int leaves(int n) {
    int all = 1;
    for (int i = 0; i < 2 && n > 0; i++) {
        int below = leaves(n - 1);
        if (__VERIFIER_nondet_int())
            all += below;
    }
    return all;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int y = leaves(n);
#ifdef FALSE
    if (!(y >= 2 || n < 3))
#else
    if (!(y >= 1))
#endif
        reach_error();
    return 0;
}
