// Exchanged through pointers, two numbers keep their sum.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void mix(int *a, int *b, int n) {
    if (n <= 0)
        return;
    int t = *a;
    *a = *b + 1;
    *b = t - 1;
    mix(a, b, n - 1);
}

int main(void) {
    int x = 10, y = 32;
    int n = __VERIFIER_nondet_int();
    mix(&x, &y, n);
#ifdef FALSE
    if (!(x + y == 42 && x != 33))
#else
    if (!(x + y == 42))
#endif
        reach_error();
    return 0;
}
