// Two functions hand a number to each other, one adds what the other takes.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int pong(int n, int x);

static int ping(int n, int x) {
    return n <= 0 ? x : pong(n - 1, x + 1);
}

static int pong(int n, int x) {
    return n <= 0 ? x : ping(n - 1, x - 1);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int x = ping(n, 0);
#ifdef FALSE
    if (!(x == 0))
#else
    if (!(x == 0 || x == 1))
#endif
        reach_error();
    return 0;
}
