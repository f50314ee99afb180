// verdict: reachable
// inputs: 3661
// Seconds and minutes: a turn of sixty iterations.
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned minutes = 0;
    unsigned seconds = 0;
    for (unsigned i = 0; i < n; i++) {
        seconds++;
        if (seconds == 60) {
            seconds = 0;
            minutes++;
        }
    }
    if (minutes == 61 && seconds == 1)
        reach_error();
    return 0;
}
