// The integer square root, by sums of odd numbers.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    long long root = 0, square = 1, odd = 1;
    while (square <= n) {
#ifdef FALSE
        if (!(square == (root + 1) * (root + 1) && root != 5))
#else
        if (!(square == (root + 1) * (root + 1)))
#endif
            reach_error();
        root++;
        odd += 2;
        square += odd;
    }
    return 0;
}
