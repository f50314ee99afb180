// The sum of cubes is a square.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 1000)
        return 0;
    long long k = 0, sum = 0, line = 0;
    while (k < n) {
        k++;
        sum += k * k * k;
        line += k;
#ifdef FALSE
        if (!(sum == line * line && sum != 100))
#else
        if (!(sum == line * line))
#endif
            reach_error();
    }
    return 0;
}
