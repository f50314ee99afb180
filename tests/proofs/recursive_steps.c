// Steps of one or two, as the caller likes, lead to zero.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int walk(int n) {
    if (n <= 1)
        return n;
    if (__VERIFIER_nondet_int())
        return walk(n - 2);
    return walk(n - 1);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0)
        return 0;
    int end = walk(n);
#ifdef FALSE
    if (!(end == 0))
#else
    if (!(end == 0 || end == 1))
#endif
        reach_error();
    return 0;
}
