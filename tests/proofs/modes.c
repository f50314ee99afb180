// The mode is the number of steps modulo three.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int mode = 0, steps = 0;
    while (__VERIFIER_nondet_int()) {
        if (mode == 0)
            mode = 1;
        else if (mode == 1)
            mode = 2;
        else
            mode = 0;
        steps++;
    }
#ifdef FALSE
    if (!(steps % 3 == mode && steps != 5))
#else
    if (!(steps % 3 == mode))
#endif
        reach_error();
    return 0;
}
