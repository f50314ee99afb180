// A walk gets no farther apart than it has steps.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int low = 0, high = 0, x = 0, steps = 0;
    while (steps < 100000) {
        if (__VERIFIER_nondet_int())
            x++;
        else
            x--;
        if (x < low)
            low = x;
        if (x > high)
            high = x;
        steps++;
        if (__VERIFIER_nondet_int())
            break;
    }
#ifdef FALSE
    if (!(low <= x && x <= high && high - low < steps))
#else
    if (!(low <= x && x <= high && high - low <= steps))
#endif
        reach_error();
    return 0;
}
