// The sum of a narrow counter, in more bits.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    long long sum = 0;
    for (int i = 0; i < n; i++) {
#ifdef FALSE
        if (!(2 * sum == (long long)i * (i - 1) && sum != 21))
#else
        if (!(2 * sum == (long long)i * (i - 1)))
#endif
            reach_error();
        sum += i;
    }
    return 0;
}
