/* The sum becomes negative where it wraps around, after 715,827,883 iterations, and only there. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += 3;
    if (sum < 0)
        reach_error();
    return 0;
}
