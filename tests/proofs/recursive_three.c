// Three functions call each other in turn.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int second(int n);
static int third(int n);

static int first(int n) {
    return n <= 0 ? 0 : second(n - 1);
}

static int second(int n) {
    return n <= 0 ? 1 : third(n - 1);
}

static int third(int n) {
    return n <= 0 ? 2 : first(n - 1);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int rest = first(n);
#ifdef FALSE
    if (!(n < 0 || rest == n % 2))
#else
    if (!(n < 0 || rest == n % 3))
#endif
        reach_error();
    return 0;
}
