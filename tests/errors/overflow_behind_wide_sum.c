// check: overflow
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    long sum = 0;
#ifdef FIXED
    for (int i = 0; i < n; i++)
#else
    for (int i = 0; i <= n; i++) // error: signed overflow
#endif
        sum += i;
    return sum == 45;
}
