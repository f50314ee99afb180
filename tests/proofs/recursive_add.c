// Addition by ones.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int add(int a, int b) {
    if (b == 0)
        return a;
    if (b > 0)
        return add(a + 1, b - 1);
    return add(a - 1, b + 1);
}

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    int sum = add(a, b);
#ifdef FALSE
    if (!(sum == a + b && sum != 5))
#else
    if (!(sum == a + b))
#endif
        reach_error();
    return 0;
}
