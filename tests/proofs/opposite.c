// One variable falls as the other rises, by steps of arbitrary size.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0)
        return 0;
    int down = n, up = 0;
    while (down > 0) {
        int step = __VERIFIER_nondet_int();
        if (step < 1 || step > down)
            step = 1;
        down -= step;
        up += step;
    }
#ifdef FALSE
    if (!(up == n && n != 4))
#else
    if (!(up == n))
#endif
        reach_error();
    return 0;
}
