// check: overflow
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 30000)
        return 0;
#ifdef FIXED
    long sum = 0;
#else
    int sum = 0;
#endif
    for (int i = 1; i <= n; i++)
        sum += i * i; // error: signed overflow
    return sum == 385;
}
