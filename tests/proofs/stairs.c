// One or two steps down, until there is none.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0)
        return 0;
    while (n > 0)
        if (__VERIFIER_nondet_int())
            n -= 2;
        else
            n -= 1;
#ifdef FALSE
    if (!(n == 0))
#else
    if (!(n == 0 || n == -1))
#endif
        reach_error();
    return 0;
}
