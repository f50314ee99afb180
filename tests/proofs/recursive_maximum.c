// The largest of numbers that are read is at least the last.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int largest(int n, int so_far) {
    int next = __VERIFIER_nondet_int();
    if (n <= 0)
        return so_far;
    return largest(n - 1, next > so_far ? next : so_far);
}

int main(void) {
    int first = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
    int most = largest(n, first);
#ifdef FALSE
    if (!(most >= first && most != first + 2))
#else
    if (!(most >= first))
#endif
        reach_error();
    return 0;
}
