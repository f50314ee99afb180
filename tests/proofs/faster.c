// One variable is at least three times as fast as the other.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int slow = 0, fast = 0;
    while (__VERIFIER_nondet_int()) {
        slow++;
        fast += 3;
        if (__VERIFIER_nondet_int())
            fast++;
    }
#ifdef FALSE
    if (!(fast <= 3 * slow + 2))
#else
    if (!(fast >= 3 * slow && fast <= 4 * slow))
#endif
        reach_error();
    return 0;
}
