// verdict: unreachable
// classic: unknown  # one path for each value of the bound
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
    if (60 * minutes + seconds != n)
        reach_error();
    return 0;
}
