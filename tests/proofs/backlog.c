// What arrived is done or waits.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int arrived = 0, done = 0, waiting = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            arrived++;
            waiting++;
        } else if (waiting > 0) {
            waiting--;
            done++;
        }
    }
#ifdef FALSE
    if (!(arrived == done + waiting && done < 2))
#else
    if (!(arrived == done + waiting && done <= arrived))
#endif
        reach_error();
    return 0;
}
