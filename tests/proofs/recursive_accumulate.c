// An accumulator goes down with the calls.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int sum(int n, int so_far) {
    if (n <= 0)
        return so_far;
    return sum(n - 1, so_far + 3);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0)
        return 0;
    int total = sum(n, 5);
#ifdef FALSE
    if (!(total == 3 * n + 5 && n != 6))
#else
    if (!(total == 3 * n + 5))
#endif
        reach_error();
    return 0;
}
