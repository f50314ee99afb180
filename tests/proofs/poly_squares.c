// The sum of squares.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 1000)
        return 0;
    long long k = 0, sum = 0;
    while (k < n) {
        k++;
        sum += k * k;
#ifdef FALSE
        if (!(6 * sum == k * (k + 1) * (2 * k + 1) && sum != 30))
#else
        if (!(6 * sum == k * (k + 1) * (2 * k + 1)))
#endif
            reach_error();
    }
    return 0;
}
