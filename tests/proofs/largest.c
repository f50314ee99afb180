// The largest and the smallest of all inputs stay in order.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int least = 0, most = 0;
    while (__VERIFIER_nondet_int()) {
        int x = __VERIFIER_nondet_int();
        if (x < least)
            least = x;
        if (x > most)
            most = x;
    }
#ifdef FALSE
    if (!(least == most || most < 9))
#else
    if (!(least <= most))
#endif
        reach_error();
    return 0;
}
