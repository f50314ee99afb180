// A recursive function counts its calls in a global variable.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int calls;

static int down(int n) {
    calls++;
    if (n <= 0)
        return 0;
    return down(n - 1);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000000)
        return 0;
    down(n);
#ifdef FALSE
    if (!(calls == n + 1 && n != 7))
#else
    if (!(calls == n + 1))
#endif
        reach_error();
    return 0;
}
