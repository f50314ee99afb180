// verdict: unreachable
// classic: unknown  # one path for each value of the bounds
// Both counters of a nest are in memory.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
void *malloc(unsigned long);

int main(void) {
    int *counters = malloc(2 * sizeof *counters);
    int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
    if (!counters || n < 0 || n > 1000 || m < 0 || m > 1000)
        return 0;
    int all = 0;
    for (counters[0] = 0; counters[0] < n; counters[0] = counters[0] + 1)
        for (counters[1] = 0; counters[1] < m; counters[1] = counters[1] + 1)
            all = all + 1;
    if (counters[0] != n || (n > 0 && counters[1] != m))
        reach_error();
    return all;
}
