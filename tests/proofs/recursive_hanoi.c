// Moving a tower takes at least as many moves as it has discs.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int hanoi(int n) {
    if (n == 0)
        return 0;
    return hanoi(n - 1) + 1 + hanoi(n - 1);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0)
        return 0;
    int moves = hanoi(n);
#ifdef FALSE
    if (!(moves == n))
#else
    if (!(moves >= n))
#endif
        reach_error();
    return 0;
}
