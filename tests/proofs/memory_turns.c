// Two functions call each other in turns, and count in different variables.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int left, right;

static void ping(int n);

static void pong(int n) {
    right++;
    if (n > 0)
        ping(n - 1);
}

static void ping(int n) {
    left++;
    if (n > 0)
        pong(n - 1);
}

int main(void) {
    ping(__VERIFIER_nondet_int());
#ifdef FALSE
    if (!(left == right + 1))
#else
    if (!(left == right || left == right + 1))
#endif
        reach_error();
    return 0;
}
