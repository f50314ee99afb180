// Between two floors, in either direction.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int floor = 0, up = 1;
    while (__VERIFIER_nondet_int()) {
        if (up)
            floor++;
        else
            floor--;
        if (floor == 10)
            up = 0;
        if (floor == 0)
            up = 1;
    }
#ifdef FALSE
    if (!(floor >= 0 && floor < 10))
#else
    if (!(floor >= 0 && floor <= 10))
#endif
        reach_error();
    return 0;
}
