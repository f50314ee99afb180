// verdict: unreachable
// compact: unknown  # where an element goes depends on those before it
// classic: unknown  # a path for each way to divide the numbers
// induction: proved
// work: 3 s
//
// Negative numbers go to one array, the others to another.
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
    int from[1000], negative[1000], others[1000];
    for (int i = 0; i < 1000; i++)
        from[i] = __VERIFIER_nondet_int();
    int n = 0, m = 0;
    for (int i = 0; i < 1000; i++)
        if (from[i] < 0)
            negative[n++] = from[i];
        else
            others[m++] = from[i];
    for (int i = 0; i < n; i++)
        if (negative[i] >= 0)
            reach_error();
    for (int i = 0; i < m; i++)
        if (others[i] < 0)
            reach_error();
    return 0;
}
