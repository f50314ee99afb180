// verdict: unreachable
// classic: unknown  # one path for each value of the bound
// work: 6 s
// Seconds, minutes and hours: a turn within a turn.
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) {}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned hours = 0;
    unsigned minutes = 0;
    unsigned seconds = 0;
    for (unsigned i = 0; i < n; i++) {
        seconds++;
        if (seconds == 60) {
            seconds = 0;
            minutes++;
            if (minutes == 60) {
                minutes = 0;
                hours++;
            }
        }
    }
    if (3600 * hours + 60 * minutes + seconds != n)
        reach_error();
    return 0;
}
