// verdict: unreachable
// classic: unknown  # one path for each value of the bounds
// Branches on several counters: the second starts when the first has ended.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int m = __VERIFIER_nondet_int();
    int i = 0;
    int j = 0;
    unsigned steps = 0;
    if (n < 0 || m < 0)
        return 0;
    while (i < n || j < m) {
        if (i < n)
            i++;
        else
            j++;
        steps++;
    }
    if (steps != (unsigned)n + (unsigned)m)
        reach_error();
    return 0;
}
