// The invariant depends on a flag that is set once.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int flag = 0, x = 0;
    while (__VERIFIER_nondet_int()) {
        if (x == 10)
            flag = 1;
        if (flag)
            x--;
        else
            x++;
        if (x == 0)
            flag = 0;
    }
#ifdef FALSE
    if (!(x >= 0 && x <= 9))
#else
    if (!(x >= 0 && x <= 10))
#endif
        reach_error();
    return 0;
}
