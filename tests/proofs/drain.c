// What flows through two tanks arrives or is lost.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int total = __VERIFIER_nondet_int();
    if (total < 0 || total > 1000000)
        return 0;
    int first = total, second = 0, arrived = 0, lost = 0;
    while (first > 0 || second > 0) {
        if (first > 0 && __VERIFIER_nondet_int()) {
            first--;
            second++;
        } else if (second > 0 && __VERIFIER_nondet_int()) {
            second--;
            arrived++;
        } else if (second > 1) {
            second -= 2;
            arrived++;
            lost++;
        } else if (first > 0) {
            first--;
            lost++;
        }
    }
#ifdef FALSE
    if (!(arrived + lost == total && lost < 3))
#else
    if (!(arrived + lost == total && lost >= 0))
#endif
        reach_error();
    return 0;
}
